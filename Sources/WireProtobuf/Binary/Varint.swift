/// Base-128 varints and the ZigZag mapping (protobuf encoding guide).

/// How many bytes a value takes as a varint: 1 to 10.
@inlinable
package func varintSize(_ value: UInt64) -> Int {
  // Bits in use, at least one, times 9/64 is bytes of 7 bits, rounded up.
  ((64 &- (value | 1).leadingZeroBitCount) &* 9 &+ 64) >> 6
}

/// Maps signed numbers of small magnitude to small unsigned ones: 0, -1, 1, -2 -> 0, 1, 2, 3.
@inlinable
func zigZag(_ value: Int64) -> UInt64 {
  UInt64(bitPattern: (value << 1) ^ (value >> 63))
}

/// The inverse of ``zigZag(_:)``.
@inlinable
func unZigZag(_ value: UInt64) -> Int64 {
  Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
}
