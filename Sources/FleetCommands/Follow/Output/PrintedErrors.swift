import CommandShell
import WireSystem

/// Prints the errors of followed resources on stderr, and remembers the last one of each resource.
final class PrintedErrors: Sendable {
  private let console: Console
  private let format: ErrorFormat
  /// Messages by the names of the resources.
  private let last = Locked<[String: String]>([:])

  init(_ console: Console, as format: ErrorFormat) {
    self.console = console
    self.format = format
  }

  func print(_ report: ErrorReport) {
    if let name = report.subject { last.withLock { $0[name] = report.message } }
    _ = console.report(report, as: format)
  }

  /// Whether this was the last printed error of its resource.
  func contains(_ report: ErrorReport) -> Bool {
    report.subject.map { name in last.withLock { $0[name] == report.message } } ?? false
  }
}
