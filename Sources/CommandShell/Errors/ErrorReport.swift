package import CommandLine
package import Tripwire
package import WireSystem

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

  /// A cause that decides about further lines of the report.
  package enum Cause {
    case call(CallError)
    case file(FileReadError)
    /// Removing any one of `options` corrects the command line.
    case conflict
    /// Another program has reported the failure on the same stderr.
    case reported
  }

  package var kind: Kind
  package var message: String
  /// Lines that mark the mistake in the input.
  package var excerpt: [String] = []
  /// One action for the user.
  package var hint: String?
  package var cause: Cause?
  /// The options at fault, without their dashes.
  package var options: [String] = []
  /// The sources of the command's options.
  var sources: [String: ValueSource] = [:]
  package var detailTypes = DetailTypes.builtIn
  /// The resource, if the command has several: "providers/p/trips/t1".
  package var subject: String?
  /// The number of the request, from 1, if the command has several.
  package var request: Int?
  /// Warnings for JSON that are not written yet.
  var warnings: [String] = []
  package var exitCode: ExitCode
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
      kind: .usage, message: error.message, excerpt: error.excerpt, hint: error.hint,
      cause: error.isConflict ? .conflict : nil, options: error.options, exitCode: .usage)
  }

  /// Returns a value, or throws its error as a report.
  package static func reporting<Value>(
    _ value: @autoclosure () throws(UsageError) -> Value
  ) throws(ErrorReport) -> Value {
    do throws(UsageError) {
      return try value()
    } catch {
      throw ErrorReport(error)
    }
  }

  package static func usage(
    _ message: String, excerpt: [String] = [], hint: String? = nil
  ) -> ErrorReport {
    ErrorReport(UsageError(message: message, excerpt: excerpt, hint: hint))
  }

  /// A failure on this machine.
  ///
  /// - Parameters:
  ///   - option: the option at fault, "--cacert"; nil if the fault is in something else.
  ///   - file: the failure to read a file, if that is the cause.
  package init(
    local message: String, of option: String? = nil, hint: String? = nil,
    _ file: FileReadError? = nil
  ) {
    self.init(
      kind: .local, message: message, hint: hint, cause: file.map(Cause.file),
      options: option.flatMap(LongOptions.longName).map { [$0] } ?? [], exitCode: .localFailure)
  }

  /// The sources of the options at fault.
  package var origin: FaultOrigin { FaultOrigin(options, sources) }

  /// An end by Ctrl-C or another signal. Only the exit code reports it.
  package static func interrupted(by signal: Int32) -> ErrorReport {
    ErrorReport(kind: .local, message: "interrupted", exitCode: .signal(signal))
  }

  /// stdout could not be written.
  package init(_ error: OutputError) {
    self.init(
      kind: .local, message: error.message ?? "", hint: error.hint, exitCode: error.exitCode)
  }

  /// Whether only the exit code reports the failure.
  package var isSilent: Bool {
    if case .reported = cause { true } else { exitCode.rawValue > 128 }
  }

  /// The failed call; nil if no call was started.
  var call: CallError? {
    if case .call(let error) = cause { error } else { nil }
  }

  /// No response in the time of an option.
  ///
  /// - Parameter method: nil if another process made the calls.
  package init(unanswered message: String, method: String?, hint: String) {
    self.init(
      .serverOrNetwork,
      CallError(code: .deadlineExceeded, message: message, origin: .local, path: method),
      hint: hint)
  }

  /// A response that JSON cannot express.
  package init(unwritable error: JSONEncodingError, path: String, attempts: Int = 1) {
    self.init(
      .serverOrNetwork,
      CallError(
        code: .internal, message: "the response cannot be written as JSON: \(error)",
        origin: .local, attempts: attempts, path: path), hint: "show it with -o text")
  }

  /// A failed call, or one that could not start for a reason on this machine.
  package init(_ error: CallError, hint: String?) {
    if let fault = error.connectionFailure?.inputFault?.error as? TLSInputFault {
      self.init(fault)
    } else if error.isOfThisMachine {
      self.init(.local, error, hint: hint)
      exitCode = .localFailure
    } else {
      let isOfClient = error.kind == .client && error.cause != .wrongMessageCount
      self.init(isOfClient ? .client : .serverOrNetwork, error, hint: hint)
    }
  }

  private init(_ kind: Kind, _ error: CallError, hint: String?) {
    self.init(
      kind: kind, message: error.messageWithProblems, hint: hint, cause: .call(error),
      exitCode: .call(error.code.rawValue))
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

  /// Whether the call could not start for a reason on this machine: the configuration of the connection, or credentials
  /// that cannot be used.
  var isOfThisMachine: Bool {
    connectionFailure?.reason.fault == .caller
      || origin == .local && (underlyingError as? TokenError)?.isLocal == true
  }

  /// Whether the same call may succeed later: a quota, or a server that says when to retry.
  package var mayHelpLater: Bool {
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
    guard let option = hint.tokenOption, error.origin == .local else { return }
    let problem: String
    if error.cause == .slowPreparation {
      let isOfCommand = hint.isTokenCommandSlow(error)
      problem =
        "the deadline passed before \(isOfCommand ? "the command ended" : "a token was received")"
      if isOfCommand { kind = .local }
    } else if let reason = error.underlyingError as? TokenError, error.refusedToken == nil {
      problem = reason.problem
    } else {
      return
    }
    message = "\(sources.label(of: option)): \(problem)"
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
      error(report.text(errorPalette))
    }
    return report.exitCode
  }
}
