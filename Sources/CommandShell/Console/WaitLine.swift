import CommandLine
import Synchronization
import WireSystem

/// A line on stderr that says what a command waits for, if that takes longer than a second. It is erased
/// before any other output.
package final class WaitLine: Sendable {
  /// How long a command may take without the line.
  private static let delay = Duration.seconds(1)
  private static let erase = "\r\u{1b}[K"

  private struct State {
    /// Nil before the first call of `show`.
    var text: String?
    /// The time of the last output.
    var quietSince = ContinuousClock.now
    var isOver = false
    var hasThread = false
  }

  private let state = Locked(State())
  private let isTerminal: @Sendable () -> Bool
  private let write: @Sendable (String) -> Void

  /// - Parameter isTerminal: whether stderr is a terminal; nothing is shown elsewhere.
  init(
    isTerminal: @escaping @Sendable () -> Bool, write: @escaping @Sendable (String) -> Void
  ) {
    self.isTerminal = isTerminal
    self.write = write
  }

  /// Starts to wait, or says what is waited for from now on: "connecting to localhost:443".
  package func show(_ text: String) {
    guard isTerminal() else { return }
    let needsThread = state.withLock { state in
      guard !state.isOver else { return false }
      state.text = text
      if isShown.load(ordering: .relaxed) { draw(text) }
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard needsThread else { return }
    // A thread of its own, because a command may block the loop while it reads files.
    try? Thread(for: "the wait line") { self.drawLater() }.detach()
  }

  /// Erases the line until it is shown again a second later.
  func hide() {
    state.withLock { state in
      state.quietSince = .now
      eraseIfShown()
    }
  }

  /// Erases the line, and shows none from now on.
  package func end() {
    state.withLock { state in
      state.isOver = true
      eraseIfShown()
    }
  }

  private func drawLater() {
    var pause = Self.delay
    while true {
      usleep(UInt32(pause / .microseconds(1)))
      let next: Duration? = state.withLock { state in
        if state.isOver { return nil }
        let rest = Self.delay - (.now - state.quietSince)
        if rest > .zero { return rest }
        if !isShown.load(ordering: .relaxed), let text = state.text { draw(text) }
        return Self.delay
      }
      guard let next else { return }
      pause = next
    }
  }

  private func draw(_ text: String) {
    isShown.store(true, ordering: .relaxed)
    // A line that wraps cannot be erased.
    let columns = min(LiveScreen.size(of: 2).columns, 80)
    write(Self.erase + cut(escaped(text), to: max(columns - 3, 1)) + " …")
  }

  private func eraseIfShown() {
    if isShown.exchange(false, ordering: .relaxed) { write(Self.erase) }
  }

  /// Erases the line before the process ends. May be called by a signal handler.
  static func abandon() {
    // A short string needs no memory, which a signal handler may not allocate.
    if isShown.exchange(false, ordering: .relaxed) { try? Console.write(erase, to: 2) }
  }
}

/// Whether the line is on the terminal.
private let isShown = Atomic(false)
