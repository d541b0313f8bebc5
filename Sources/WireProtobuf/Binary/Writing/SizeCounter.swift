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

  /// What a function writes that was counted.
  func bytes(_ write: (inout WireWriter) throws(WireWriter.Full) -> Void) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: total) { output, count in
      var writer = unsafe WireWriter(UnsafeMutableRawBufferPointer(output))
      let start = unsafe writer.cursor
      do {
        try write(&writer)
      } catch {
        preconditionFailure("a message wrote more than it measured")
      }
      count = unsafe writer.cursor - start
    }
  }
}
