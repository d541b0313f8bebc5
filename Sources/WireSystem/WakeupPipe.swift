/// Wakes a loop with a byte in a pipe that the loop polls together with its sockets.
package final class WakeupPipe: Sendable {
  package let readEnd: Int32
  private let writeEnd: Int32

  package init() throws(IOError) {
    guard let ends = SystemCalls.pipe() else { throw IOError(operation: "make the wakeup pipe") }
    readEnd = ends.read
    writeEnd = ends.write
  }

  deinit {
    closeDescriptor(readEnd)
    closeDescriptor(writeEnd)
  }

  /// May be called from any thread.
  package func wake() {
    // A full pipe wakes the loop, too.
    _ = SystemCalls.retrying { unsafe write(writeEnd, "!", 1) }
  }

  /// Removes the bytes that `wake` wrote.
  package func drain() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { scratch in
      _ = SystemCalls.retrying { unsafe read(readEnd, scratch.baseAddress, scratch.count) }
    }
  }
}
