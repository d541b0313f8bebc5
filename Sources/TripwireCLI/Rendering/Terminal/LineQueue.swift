import WireIO
import WireSystem

/// Lines on their way to stderr, written on a thread of their own: who tells of something never waits for
/// whoever reads it. Lines that find no room are left out, and counted.
final class LineQueue: Sendable {
  private struct State {
    var text = ""
    var missing = 0
    var isWriting = false
  }

  /// How many bytes may wait.
  private static let limit = 1 << 20

  private let console: Console
  private let loop: EventLoop
  private let state = Locked(State())

  /// Throws when the system has no thread left.
  init(_ console: Console) throws(IOError) {
    self.console = console
    loop = try EventLoop.start(name: "stderr")
  }

  func write(_ line: String) {
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

  /// Writes what waits, and ends. To be called once, when nothing more comes.
  func close() async {
    await Task(executorPreference: loop.taskExecutor) { self.writeOut() }.value
    loop.stop()
  }

  private func writeOut() {
    while let text = takeText() { console.error(text) }
  }

  /// Nil when there is nothing to write.
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
