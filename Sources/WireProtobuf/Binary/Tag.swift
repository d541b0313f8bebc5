/// The encoding of a field's value (protobuf encoding guide, "Message Structure").
public enum WireType: UInt8, Sendable {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case startGroup = 3
  case endGroup = 4
  case fixed32 = 5
}

/// The tag of a field: field number and wire type.
@inlinable
func tag(_ number: Int, _ wireType: WireType) -> UInt64 {
  UInt64(truncatingIfNeeded: number) << 3 | UInt64(wireType.rawValue)
}

/// The size of a field's tag in bytes: 1 to 5.
@inlinable
func tagSize(_ number: Int) -> Int {
  varintSize(UInt64(truncatingIfNeeded: number) << 3)
}
