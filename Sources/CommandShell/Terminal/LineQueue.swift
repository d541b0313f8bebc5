import WireIO
package import WireSystem

/// A queue of lines for stderr, which a thread of its own writes, so that a slow reader does not hold up
/// the caller. Lines for which there is no room are dropped and counted.
package final class LineQueue: Sendable {
  private struct State {
    var text = ""
    var missing = 0
    var isWriting = false
  }

  /// The largest size of the queue, in bytes.
  private static let limit = 1 << 20

  private let console: Console
  private let loop: EventLoop
  private let state = Locked(State())

  /// Throws if the system has no thread left.
  package init(_ console: Console) throws(IOError) {
    self.console = console
    loop = try EventLoop.start(name: "stderr")
  }

  package func write(_ line: String) {
    let isFirst = state.withLock { state in
      if state.text.utf8.count + line.utf8.count > Self.limit {
        state.missing += 1
      } else {
        state.text += line
      }
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isFirst { Task(executorPreference: loop.taskExecutor) { self.writeOut() } }
  }

  /// Writes the queued lines and ends the thread. Call it once, after the last line.
  package func close() async {
    await Task(executorPreference: loop.taskExecutor) { self.writeOut() }.value
    loop.stop()
  }

  private func writeOut() {
    while let text = takeText() { console.error(text) }
  }

  /// Returns nil if there is nothing to write.
  private func takeText() -> String? {
    state.withLock { state in
      guard !state.text.isEmpty || state.missing > 0 else {
        state.isWriting = false
        return nil
      }
      defer { (state.text, state.missing) = ("", 0) }
      guard state.missing > 0 else { return state.text }
      return state.text
        + "warning: \(Units.count(state.missing, "line")) dropped: stderr is too slow\n"
    }
  }
}
