/// The encoding of a field's value (protobuf encoding guide, "Message Structure").
public enum WireType: UInt8, Sendable {
  /// int32, int64, uint32, uint64, sint32, sint64, bool and enums.
  case varint = 0
  /// fixed64, sfixed64 and double.
  case fixed64 = 1
  /// string, bytes, messages and packed fields.
  case lengthDelimited = 2
  /// The start of a group.
  case startGroup = 3
  /// The end of a group.
  case endGroup = 4
  /// fixed32, sfixed32 and float.
  case fixed32 = 5
}

@inlinable
func tag(_ number: Int, _ wireType: WireType) -> UInt64 {
  UInt64(truncatingIfNeeded: number) << 3 | UInt64(wireType.rawValue)
}

/// The size of a field's tag in bytes: 1 to 5.
@inlinable
func tagSize(_ number: Int) -> Int {
  varintSize(UInt64(truncatingIfNeeded: number) << 3)
}
