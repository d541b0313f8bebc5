/// Sums the memory that ``WireWriter`` needs to write the binary form of a message, in bytes.
///
/// The total is an upper bound: a run of fixed-layout messages counts as if every field were set, and
/// the length of a short sub-message counts as two bytes.
public struct SizeCounter {
  public typealias Failure = Never

  @usableFromInline var total = WireWriter.fieldRoom

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func add(_ size: Int) {
    total &+= size
  }

  /// Adds the tag and length of the sub-message that was counted since `start`.
  @inlinable @inline(__always)
  mutating func close(since start: Int, _ number: Int) {
    let size = UInt64(truncatingIfNeeded: total &- start)
    add(tagSize(number) &+ max(2, varintSize(size)))
  }

  /// Returns the bytes that `write` writes. The counter must have measured it before.
  func bytes(_ write: (inout WireWriter) throws(WireWriter.Full) -> Void) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: total) { output, count in
      var writer = unsafe WireWriter(UnsafeMutableRawBufferPointer(output))
      let start = unsafe writer.cursor
      do {
        try write(&writer)
      } catch {
        // Not reachable by input: measuring and writing visit the same fields of the same value. Only a
        // defect of generated code gets here, and truncated bytes would be worse than a trap.
        preconditionFailure("a message wrote more than it measured")
      }
      count = unsafe writer.cursor - start
    }
  }
}
