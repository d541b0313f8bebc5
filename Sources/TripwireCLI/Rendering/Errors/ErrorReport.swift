import Tripwire

/// Everything that is said about a failure, before it is text or JSON.
struct ErrorReport: Error {
  /// Who has to act before the same command can succeed.
  enum Kind: String {
    case serverOrNetwork = "server/network"
    case client
    /// Something on this machine.
    case local
    case usage
  }

  /// The status of the call; nil when there was none.
  var code: StatusCode?
  var message: String
  /// Lines that show where in the input the mistake is.
  var excerpt: [String] = []
  var details: [ErrorDetail] = []
  var kind: Kind
  /// What to do.
  var hint: String?
  /// A connection that fails in the same way until the command or the server is set up otherwise.
  var isSetup = false
  /// The call that failed, "maps.fleetengine.v1.TripService/GetTrip"; nil when there was none.
  var method: String?
  /// What it was about, where there are several: "providers/p/trips/t1".
  var subject: String?
  /// The address that its last attempt went to, or whom no connection could be made to.
  var peer: String?
  /// How often it was sent.
  var attempts = 0
  /// What went wrong before.
  var earlierAttempts: [FailedAttempt] = []
  /// Only for JSON: as text they were written when they arose.
  var warnings: [String] = []
  var exitCode: ExitCode
}

/// How errors are written to stderr.
enum ErrorFormat: Sendable {
  case text
  case json
}

extension ErrorReport {
  /// - Parameter command: whose help to point at; nil for that of tripwire itself.
  init(_ error: UsageError, command: String?) {
    let help = (["tripwire", command].compactMap { $0 } + ["--help"]).joined(separator: " ")
    self.init(
      message: error.message, excerpt: error.excerpt, kind: .usage,
      hint: error.hint ?? "run '\(help)' for usage", exitCode: .usage)
  }

  /// A failure on this machine.
  init(local message: String, hint: String? = nil) {
    self.init(message: message, kind: .local, hint: hint, exitCode: .localFailure)
  }

  /// Ctrl-C and its like: nothing is said, the exit code says it.
  static func interrupted(by signal: Int32) -> ErrorReport {
    ErrorReport(message: "interrupted", kind: .local, exitCode: .signal(signal))
  }

  /// stdout could not be written.
  init(_ error: OutputError) {
    self.init(message: error.message ?? "", kind: .local, exitCode: error.exitCode)
  }

  /// Whether the exit code says all there is to say.
  var isSilent: Bool { exitCode.rawValue > 128 }

  /// An answer that is none to JSON.
  init(unwritable error: JSONEncodingError, path: String, attempts: Int = 1) {
    self.init(
      code: .internal, message: "the response cannot be written as JSON: \(error)",
      kind: .serverOrNetwork, hint: "show it with -o text",
      method: String(path.dropFirst()), attempts: attempts,
      exitCode: .call(StatusCode.internal.rawValue))
  }

  /// A failed call, or one that could not begin for a reason on this machine.
  init(_ error: CallError, hint: String?) {
    if let fault = error.connectionFailure?.inputFault?.error as? TLSInputFault {
      self.init(fault)
      return
    }
    let fault = error.connectionFailure?.reason.fault
    let isLocal = fault == .caller
    self.init(
      code: isLocal ? nil : error.code, message: error.message, details: error.details,
      kind: isLocal ? .local : error.kind == .client ? .client : .serverOrNetwork, hint: hint,
      isSetup: fault == .setup,
      method: error.path.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 },
      peer: error.peer ?? error.connectionFailure?.peer, attempts: error.attempts,
      earlierAttempts: error.earlierAttempts,
      exitCode: isLocal ? .localFailure : .call(error.code.rawValue))
  }
}

extension Console {
  func warn(_ text: String) { error("warning: \(escaped(text))\n") }

  /// Writes the report to stderr and hands back its exit code.
  func report(_ report: ErrorReport, as format: ErrorFormat) -> ExitCode {
    if format == .json { errorJSON(redactor.json(of: report)) } else { error(report.text) }
    return report.exitCode
  }
}
