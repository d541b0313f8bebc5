/// Adds up how much memory the binary form of a message takes while ``WireWriter`` writes it.
///
/// At least what it takes in the end: a run of records counts as if every field were set, and a
/// short sub-message as if it were longer.
public struct SizeCounter {
  public typealias Failure = Never

  @usableFromInline var total = WireWriter.fieldRoom

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func add(_ size: Int) {
    total &+= size
  }

  /// Adds the tag and length of a sub-message that was counted since some total.
  @inlinable @inline(__always)
  mutating func close(since start: Int, _ number: Int) {
    let size = UInt64(truncatingIfNeeded: total &- start)
    add(tagSize(number) &+ max(2, varintSize(size)))
  }
}
