/// A number that is handed out in a row, as ids of streams and calls are, as a key.
///
/// Such numbers fill a hash table evenly without a hash that is worth the name. A peer cannot make
/// them meet: those of our own requests we choose, and those of a server's streams only grow, and only
/// so many may be open.
public struct SequenceNumber: Hashable {
  @usableFromInline let number: Int

  @inlinable
  public init(_ number: UInt64) {
    self.number = Int(truncatingIfNeeded: number)
  }

  @inlinable
  public init(_ stream: StreamID) {
    number = Int(stream)
  }

  @inlinable
  public var stream: StreamID { StreamID(truncatingIfNeeded: number) }

  @inlinable
  public static func == (one: SequenceNumber, other: SequenceNumber) -> Bool {
    one.number == other.number
  }

  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }

  // What dictionaries ask for; the default runs `hash(into:)` through SipHash.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int {
    // Spread (Knuth's multiplicative method): side by side they would be one long run to search.
    Int(truncatingIfNeeded: UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15 >> 32)
  }
}
