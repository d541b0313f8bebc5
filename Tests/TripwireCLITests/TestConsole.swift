import Synchronization

@testable import CommandShell
@testable import TripwireCLI

/// A console that keeps its output. Its clock is fixed and in UTC.
final class TestConsole: Sendable {
  private let written = Mutex((output: "", error: ""))
  private let variables: [String: String]
  private let isTerminal: Bool
  /// 2026-11-21T09:30:00Z.
  static let clock = WallClock(now: 1_795_253_400) { _ in 0 }

  init(_ variables: [String: String] = [:], isTerminal: Bool = false) {
    self.variables = variables
    self.isTerminal = isTerminal
  }

  var output: String { written.withLock { $0.output } }
  var error: String { written.withLock { $0.error } }

  var console: Console {
    var console = Console(
      output: { (text) throws(OutputError) in self.written.withLock { $0.output += text } },
      outputIsTerminal: { self.isTerminal },
      error: { text in self.written.withLock { $0.error += text } },
      errorIsTerminal: { self.isTerminal }, environment: { self.variables[$0] },
      clock: { Self.clock })
    console.settings = { profileSettings }
    return console
  }

  func run(_ arguments: String...) async -> ExitCode {
    await tripwire(arguments, console)
  }
}
