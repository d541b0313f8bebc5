/// How the value after a tag is laid out (protobuf encoding guide, "message structure").
public enum WireType: UInt8, Sendable {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case startGroup = 3
  case endGroup = 4
  case fixed32 = 5
}

/// The number that stands before each value: field number and wire type.
@inlinable
func tag(_ number: Int, _ wireType: WireType) -> UInt64 {
  UInt64(truncatingIfNeeded: number) << 3 | UInt64(wireType.rawValue)
}

/// How many bytes the tag of a field takes: 1 to 5.
@inlinable
func tagSize(_ number: Int) -> Int {
  varintSize(UInt64(truncatingIfNeeded: number) << 3)
}
