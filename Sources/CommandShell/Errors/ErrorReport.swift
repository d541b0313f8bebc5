package import CommandLine
package import Tripwire

/// A failure and the details to report, as text or as JSON.
package struct ErrorReport: Error {
  /// The side that caused the failure and can fix it.
  package enum Kind: String {
    case serverOrNetwork = "server/network"
    case client
    /// A cause on this machine.
    case local
    case usage
  }

  /// The status of the call; nil without a call.
  package var code: StatusCode?
  package var message: String
  /// Lines that mark the mistake in the input.
  package var excerpt: [String] = []
  /// The options at fault, without their dashes.
  package var options: [String] = []
  /// Whether removing any one of `options` corrects the command line.
  var isConflict = false
  /// The sources of the command's options.
  var sources: [String: ValueSource] = [:]
  package var details: [ErrorDetail] = []
  package var detailTypes = DetailTypes.builtIn
  package var kind: Kind
  /// One action for the user.
  package var hint: String?
  /// Whether the connection fails until the configuration of the command or the server changes.
  var isSetup = false
  /// Whether the same call may succeed later: a quota, or a server that says when to retry.
  var mayHelpLater = false
  /// The method of the failed call, "maps.fleetengine.v1.TripService/GetTrip"; nil without a call.
  package var method: String?
  /// The resource, if the command has several: "providers/p/trips/t1".
  package var subject: String?
  /// The number of the request, from 1, if the command has several.
  package var request: Int?
  /// The address of the last attempt, or of the failed connection.
  var peer: String?
  /// The number of times the call was sent.
  var attempts = 0
  var earlierAttempts: [FailedAttempt] = []
  /// Warnings for JSON that are not written yet.
  var warnings: [String] = []
  package var exitCode: ExitCode
  /// Whether another program has reported the failure on the same stderr.
  package var isReported = false
}

/// The format of errors on stderr.
package enum ErrorFormat: Sendable {
  case text
  case json
}

extension ErrorReport {
  /// An invalid command line. Without a hint, ``Console/report(_:as:of:)`` names the help of the command.
  package init(_ error: UsageError) {
    self.init(
      message: error.message, excerpt: error.excerpt, options: error.options,
      isConflict: error.isConflict, kind: .usage, hint: error.hint, exitCode: .usage)
  }

  package static func usage(
    _ message: String, excerpt: [String] = [], hint: String? = nil
  ) -> ErrorReport {
    ErrorReport(UsageError(message: message, excerpt: excerpt, hint: hint))
  }

  /// A failure on this machine.
  ///
  /// - Parameter option: the option at fault, "--cacert"; nil if the fault is in something else.
  package init(local message: String, of option: String? = nil, hint: String? = nil) {
    self.init(
      message: message, options: option.flatMap(LongOptions.longName).map { [$0] } ?? [],
      kind: .local, hint: hint, exitCode: .localFailure)
  }

  /// The sources of the options at fault.
  package var origin: FaultOrigin { FaultOrigin(options, sources) }

  /// An end by Ctrl-C or another signal. Only the exit code reports it.
  package static func interrupted(by signal: Int32) -> ErrorReport {
    ErrorReport(message: "interrupted", kind: .local, exitCode: .signal(signal))
  }

  /// stdout could not be written.
  package init(_ error: OutputError) {
    self.init(
      message: error.message ?? "", kind: .local, hint: error.hint, exitCode: error.exitCode)
  }

  /// Whether only the exit code reports the failure.
  package var isSilent: Bool { isReported || exitCode.rawValue > 128 }

  /// No response in the time of an option.
  ///
  /// - Parameter method: nil if another process made the calls.
  package init(unanswered message: String, method: String?, hint: String) {
    self.init(
      code: .deadlineExceeded, message: message, kind: .serverOrNetwork, hint: hint,
      method: method, exitCode: .call(StatusCode.deadlineExceeded.rawValue))
  }

  /// A response that JSON cannot express.
  package init(unwritable error: JSONEncodingError, path: String, attempts: Int = 1) {
    self.init(
      code: .internal, message: "the response cannot be written as JSON: \(error)",
      kind: .serverOrNetwork, hint: "show it with -o text",
      method: String(path.dropFirst()), attempts: attempts,
      exitCode: .call(StatusCode.internal.rawValue))
  }

  /// A failed call, or one that could not start for a reason on this machine.
  package init(_ error: CallError, hint: String?) {
    if let fault = error.connectionFailure?.inputFault?.error as? TLSInputFault {
      self.init(fault)
      return
    }
    let fault = error.connectionFailure?.reason.fault
    let isLocal = fault == .caller
    self.init(
      code: isLocal ? nil : error.code, message: error.messageWithProblems,
      details: error.details,
      kind: isLocal
        ? .local
        : error.kind == .client && error.cause != .wrongMessageCount ? .client : .serverOrNetwork,
      hint: hint,
      isSetup: fault == .setup, mayHelpLater: error.mayHelpLater,
      method: error.path.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 },
      peer: error.peer ?? error.connectionFailure?.peer, attempts: error.attempts,
      earlierAttempts: error.earlierAttempts,
      exitCode: isLocal ? .localFailure : .call(error.code.rawValue))
  }
}

extension CallError {
  /// The message, and what is wrong with the code and the details of the status.
  fileprivate var messageWithProblems: String {
    var problems: [String] = []
    if code != code.named {
      problems.append("grpc-status is \(code.rawValue), which is not a gRPC code")
    }
    if hasInvalidDetails {
      problems.append("grpc-status-details-bin is not a google.rpc.Status in Base64")
    }
    let text = problems.joined(separator: "; ")
    if text.isEmpty { return message }
    return message.isEmpty ? text : "\(message) (\(text))"
  }

  /// Whether the server sent details that cannot be decoded.
  private var hasInvalidDetails: Bool {
    guard details.isEmpty,
      let entry = trailers.first(where: { $0.name == "grpc-status-details-bin" })
    else { return false }
    guard case .binary(let bytes) = entry.value else { return true }
    return (try? RPCStatus(serializedBytes: bytes)) == nil
  }

  /// Whether the program that provides the token failed, for example because it could not reach a server.
  private var isTokenCommandFailure: Bool {
    if case .commandFailed? = underlyingError as? TokenError { true } else { false }
  }

  fileprivate var mayHelpLater: Bool {
    origin == .server && code == .resourceExhausted && RequestSizeLimit(message) == nil
      || cause == .excessiveLoad || isTokenCommandFailure
      || details.contains { if case .retryInfo = $0 { true } else { false } }
  }
}

extension ErrorReport {
  /// A failed call. If there was no token, the message names the option that the token comes from.
  package init(_ error: CallError, _ hint: Hint) {
    self.init(error, hint: hint.text(for: error))
    sources = hint.sources
    if hint.isTokenCommandSlow(error) {
      message = "\(TokenSource.commandOption): the deadline passed before the command ended"
      options = [LongOptions.longName(TokenSource.commandOption)].compactMap { $0 }
      kind = .local
    }
    guard let option = hint.tokenOption, error.origin == .local, error.refusedToken == nil,
      let reason = error.underlyingError as? TokenError
    else { return }
    message = "\(option): \(reason.problem)"
    options = [LongOptions.longName(option)].compactMap { $0 }
  }
}

extension Console {
  /// Writes the report to stderr and returns its exit code.
  ///
  /// - Parameter command: the command that failed; nil for tripwire itself.
  package func report(
    _ report: ErrorReport, as format: ErrorFormat, of command: String? = nil
  ) -> ExitCode {
    var report = report
    if report.kind == .usage, report.hint == nil {
      let help = (["tripwire", command].compactMap { $0 } + ["--help"]).joined(separator: " ")
      report.hint = "run '\(help)' for usage"
    }
    if format == .json {
      maskedError(redactor.json(of: report))
    } else {
      error(errorPalette.painted(report: report.text))
    }
    return report.exitCode
  }
}
