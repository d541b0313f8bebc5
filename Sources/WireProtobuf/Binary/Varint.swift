/// Base-128 varints and the ZigZag mapping (protobuf encoding guide).

/// The size of a value as a varint in bytes: 1 to 10.
@inlinable
func varintSize(_ value: UInt64) -> Int {
  // The number of significant bits, at least 1, divided by 7 and rounded up; 9/64 approximates 1/7.
  ((64 &- (value | 1).leadingZeroBitCount) &* 9 &+ 64) >> 6
}

/// Maps signed integers of small magnitude to small unsigned ones: 0, -1, 1, -2 -> 0, 1, 2, 3.
@inlinable
func zigZag(_ value: Int64) -> UInt64 {
  UInt64(bitPattern: (value << 1) ^ (value >> 63))
}

/// The inverse of ``zigZag(_:)``.
@inlinable
func unZigZag(_ value: UInt64) -> Int64 {
  Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
}
