import WireSystem

/// A program that prints a token.
package struct TokenProgram: Sendable {
  /// For errors; empty for a shell command.
  let name: String
  let arguments: [String]
  /// Set in its environment, or removed from it.
  let variables: [String: String?]
  let timeout: Duration

  /// The variables of the command that hold credentials. Other programs do not need them.
  private static let secrets: [String: String?] = [
    "TRIPWIRE_TOKEN": nil, "TRIPWIRE_CREDENTIALS_JSON": nil,
  ]

  package init(
    name: String, arguments: [String], variables: [String: String?], timeout: Duration
  ) {
    self.name = name
    self.arguments = arguments
    self.variables = variables
    self.timeout = timeout
  }

  /// Runs the program, and returns its standard output.
  ///
  /// - Throws: ``TokenError/commandFailed(program:reason:)``, or CancellationError.
  package func output() async throws -> [UInt8] {
    let limit = 2 * TokenError.longest
    let output: ChildProcess.Output
    do throws(ChildProcess.Failure) {
      output = try await ChildProcess.run(
        arguments, variables: variables.merging(Self.secrets) { given, _ in given }, limit: limit,
        timeout: timeout)
    } catch {
      switch error {
      case .canceled: throw CancellationError()
      case .notStarted(let error): throw failed("cannot be started: \(error.code)")
      case .timedOut: throw failed("did not end within \(timeout) and was killed")
      case .tooLong: throw failed("wrote more than \(limit / 1024) KiB to stdout")
      }
    }
    func errorOutput() -> String {
      let text = OutputRedactor.masked(String(decoding: output.standardError, as: UTF8.self))
      return text.isEmpty ? "" : ": " + text
    }
    switch output.end {
    case .exited(0), .unknown: return output.standardOutput
    case .exited(let code): throw failed("failed with exit code \(code)\(errorOutput())")
    case .killed(let signal): throw failed("was terminated by signal \(signal)\(errorOutput())")
    }
  }

  /// The error of its output.
  package func failed(_ reason: String) -> TokenError {
    .commandFailed(program: name, reason: reason)
  }
}
