import WireSystem

/// What ends the sleep of a loop: a byte in a pipe that it polls along with its sockets.
final class WakeupPipe: Sendable {
  let readEnd: Int32
  private let writeEnd: Int32

  init() throws(IOError) {
    guard let ends = SystemCalls.pipe() else { throw IOError(operation: "make the wakeup pipe") }
    readEnd = ends.read
    writeEnd = ends.write
  }

  deinit {
    closeDescriptor(readEnd)
    closeDescriptor(writeEnd)
  }

  /// From any thread.
  func wake() {
    // A full pipe will wake the loop as well.
    _ = SystemCalls.retrying { unsafe write(writeEnd, "!", 1) }
  }

  /// Takes out what `wake` put in.
  func drain() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { scratch in
      _ = SystemCalls.retrying { unsafe read(readEnd, scratch.baseAddress, scratch.count) }
    }
  }
}
