import WireProtobuf
import WireSystem

/// Tokens that a program writes, as credential helpers do.
///
///     CommandToken(["gcloud", "auth", "print-access-token"])
///     CommandToken(["vault", "read", "-field=token", "fleet/token"])
///
/// The program writes to its standard output either the token alone, on one line, or a JSON object
/// with the string `token` and perhaps `expirationTimestamp` (RFC 3339) or `expiresIn` (seconds),
/// which may be the member `status` of another, as kubectl's credential plugins have it; `access_token`
/// and `expires_in`, as OAuth has them (RFC 6749 §5.1), will do, too. It exits with 0; if not, the error
/// has the end of its standard error, with asterisks in place of what looks like a token, a key or a
/// password.
///
/// It runs without a shell, is found in `PATH`, and knows from its environment what the token is for:
/// `TRIPWIRE_RESOURCE` (`providers/p/trips/t1`), and `TRIPWIRE_TRIP_ID` or `TRIPWIRE_VEHICLE_ID` if it
/// is one. Its standard input is empty, it has no terminal to ask on, inherits no file of ours, and is
/// killed, with all that it has started, after `timeout` or when nobody waits for it any more. At most
/// four of a provider run at a time.
public struct CommandToken: AuthTokenProvider {
  private let arguments: [String]
  private let dependsOnContext: Bool
  private let timeout: Duration
  private let turns = Turns(4)

  /// - Parameters:
  ///   - arguments: the program and its arguments, which other users of the machine can see.
  ///   - dependsOnContext: whether it is to be run for every trip and vehicle; false when one of its
  ///     tokens is as good for all.
  ///   - timeout: how long it may run.
  public init(
    _ arguments: [String], dependsOnContext: Bool = true, timeout: Duration = .seconds(60)
  ) {
    self.arguments = arguments
    self.dependsOnContext = dependsOnContext
    self.timeout = timeout
  }

  /// The same with a line for the shell, `sh -c`.
  public init(shell line: String, dependsOnContext: Bool = true, timeout: Duration = .seconds(60)) {
    self.init(["/bin/sh", "-c", line], dependsOnContext: dependsOnContext, timeout: timeout)
  }

  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext {
    dependsOnContext ? context : .any
  }

  /// - Throws: ``TokenError``, or CancellationError.
  public func token(for context: AuthorizationContext) async throws -> AuthToken {
    guard let name = arguments.first else {
      throw TokenError.commandFailed(program: "[]", reason: "names no program")
    }
    func failed(_ reason: String) -> TokenError {
      .commandFailed(program: name, reason: reason)
    }
    let variables: [String: String?] = [
      "TRIPWIRE_RESOURCE": context.resourceName, "TRIPWIRE_TRIP_ID": context.tripID,
      "TRIPWIRE_VEHICLE_ID": context.vehicleID,
    ]
    try await turns.take()
    defer { turns.giveBack() }
    let output: ChildProcess.Output
    do throws(ChildProcess.Failure) {
      output = try await ChildProcess.run(
        arguments, variables: variables, limit: 2 * TokenError.longest, timeout: timeout)
    } catch {
      switch error {
      case .cancelled: throw CancellationError()
      case .notStarted(let error): throw failed("cannot be started: \(error.code)")
      case .timedOut: throw failed("did not end within \(timeout) and was killed")
      case .tooLong: throw failed("wrote too much to stdout for a token")
      }
    }
    switch output.end {
    case .exited(0), .unknown: break
    case .exited(let code): throw failed("failed with exit code \(code)\(said(output))")
    case .killed(let signal): throw failed("was terminated by signal \(signal)\(said(output))")
    }
    return try Self.token(output.standardOutput, now: WallTime.now)
  }

  private func said(_ output: ChildProcess.Output) -> String {
    let text = SecretText.masked(String(decoding: output.standardError, as: UTF8.self))
    return text.isEmpty ? "" : ": " + text
  }

  /// The token in what the program wrote.
  static func token(_ output: [UInt8], now: Double) throws(TokenError) -> AuthToken {
    let text = output.trimmingWhitespace()
    guard text.first == UInt8(ascii: "{") else {
      let token = String(decoding: text, as: UTF8.self)
      try TokenError.check(token)
      return AuthToken(token)
    }
    let object = try Struct(tokenJSON: Array(text))
    let credential = object.object("status") ?? object
    let expiry: TokenExpiry =
      if credential.has("expirationTimestamp") {
        .rfc3339("expirationTimestamp")
      } else if let name = ["expiresIn", "expires_in"].first(where: credential.has) {
        .secondsFromNow(name)
      } else {
        .unstated
      }
    let name = ["token", "access_token"].first(where: credential.has) ?? "token"
    return try AuthToken(credential, token: name, expiry, now: now)
  }
}

extension CommandToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Without the arguments: there may be secrets among them.
  public var description: String { "CommandToken(\(arguments.first ?? ""), …)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
