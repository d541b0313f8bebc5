import Tripwire

/// The exit code of the command. Scripts rely on these numbers.
package struct ExitCode: RawRepresentable, Equatable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let success = ExitCode(rawValue: 0)
  /// A failure on this machine: a file that cannot be read, an output that cannot be written.
  package static let localFailure = ExitCode(rawValue: 1)
  package static let usage = ExitCode(rawValue: 2)
  /// A followed trip ended without the awaited status.
  package static let otherEnd = ExitCode(rawValue: 3)
  /// A followed trip did not reach the awaited status in time.
  package static let timedOut = ExitCode(rawValue: 4)
  /// The condition of `--fail-on` holds.
  package static let conditionHeld = ExitCode(rawValue: 5)
  /// The reader of stdout closed it: 128 + SIGPIPE.
  static let brokenPipe = ExitCode(rawValue: 141)

  /// The end by a signal: 128 + its number. Ctrl-C is 130.
  package static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }

  /// A failed call: 64 + its gRPC code, as in grpcurl. NOT_FOUND is 69. A failed connection is
  /// UNAVAILABLE, 78. An exceeded deadline is DEADLINE_EXCEEDED, 68, also while connecting. A number
  /// outside 1...16 counts as UNKNOWN.
  package static func call(_ code: Int) -> ExitCode {
    ExitCode(rawValue: 64 + Int32((1...16).contains(code) ? code : 2))
  }

  /// The start of the meaning of 64 + gRPC code.
  package static let callFailed = "the call failed: "

  package static let callTerm = "64 + gRPC code"
  package static let closedOutputTerm = "141"
  package static let withoutConnection =
    "Without a connection the code is 78, or 68 if the deadline passed while connecting"
  package static let signaled = (
    term: "128 + signal",
    meaning: "interrupted: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP (terminal closed)"
  )

  package static let table: [(term: String, meaning: String)] = [
    ("0", "success; stdout has the response, if the command prints one"),
    ("1", "a local failure, such as a file or credentials that cannot be used"),
    ("2", "invalid command line, or an unknown method; the call was not sent"),
    failedCall(withoutConnection),
    signaled,
    (closedOutputTerm, "stdout was closed by its reader, as by 'head'"),
  ]

  /// - Parameter ending: a sentence about the code without a connection.
  package static func failedCall(_ ending: String) -> (term: String, meaning: String) {
    let codes = (1...16).map { "\(64 + $0) \(StatusCode(rawValue: $0))" }
    return (callTerm, callFailed + codes.joined(separator: ", ") + ". " + ending)
  }
}
