import CommandLine
import CommandShell
import Tripwire

/// The outcome of one step of `tripwire doctor`.
struct DoctorStep {
  enum Outcome: String {
    case ok
    /// A failure that does no harm.
    case info
    /// Something to look at. Calls can work.
    case warning
    case failed
    /// Not made, because an earlier step failed, or because there is nothing to check.
    case skipped
  }

  let name: String
  var outcome: Outcome
  var message: String
  var time: Duration?
  /// One action for the user.
  var hint: String?
  /// Further lines of the text.
  var lines: [String] = []
  /// Further members of the JSON object, with their values in JSON.
  var members: [(name: String, json: String)] = []
  /// The exit code that the failure has in other commands.
  var exitCode = ExitCode.success
  /// The options that caused the failure, without their dashes.
  var options: [String] = []

  static func ok(_ name: String, _ message: String, _ time: Duration? = nil) -> DoctorStep {
    DoctorStep(name: name, outcome: .ok, message: message, time: time)
  }

  static func skipped(_ name: String, _ message: String) -> DoctorStep {
    DoctorStep(name: name, outcome: .skipped, message: message)
  }

  static func failed(_ name: String, _ report: ErrorReport, _ time: Duration? = nil) -> DoctorStep {
    DoctorStep(
      name: name, outcome: .failed, message: report.message, time: time, hint: report.hint,
      exitCode: report.exitCode, options: report.options)
  }

  /// Makes it a warning, with the cure, if it has not failed.
  mutating func warn(_ message: String, hint: String) {
    guard outcome != .failed else { return }
    outcome = .warning
    self.message += "; \(message)"
    self.hint = hint
  }

  /// "ok       tcp      127.0.0.1:443 (0.2 ms)", and lines below it.
  var text: String {
    let margin = String(repeating: " ", count: 18)
    let time = time.map { " (\(Units.milliseconds($0)))" } ?? ""
    return padded(outcome.rawValue, to: 9) + padded(name, to: 9) + escaped(message) + time + "\n"
      + lines.map { margin + escaped($0) + "\n" }.joined()
      + (hint.map { margin + "hint: " + escaped($0) + "\n" } ?? "")
  }

  var json: String {
    let milliseconds = time.map { Units.fixed($0 / .milliseconds(1), decimals: 3) }
    return JSONWriter.object { json in
      json.member("name", name)
      json.member("outcome", outcome.rawValue)
      json.member("message", message)
      json.member("milliseconds", json: milliseconds.map(Units.trimmed))
      json.member("hint", hint)
      for (name, value) in members { json.member(name, json: value) }
    }
  }
}
