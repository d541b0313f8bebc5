import WireGRPCClient
import WireProtobuf
import WireSystem

/// Tokens that a program prints, as a credential helper does.
///
///     CommandToken(["gcloud", "auth", "print-access-token"])
///     CommandToken(["vault", "read", "-field=token", "fleet/token"])
///
/// The program prints either the token alone on one line, or a JSON object with the string `token`
/// and optionally `expirationTimestamp` (RFC 3339, or seconds or milliseconds since 1970) or
/// `expiresIn` (seconds). The object may be the member `status` of another, as for kubectl's
/// credential plugins. Also accepted are `jwt`, the name in the backend of Google's samples, and the
/// OAuth names `access_token` and `expires_in` (RFC 6749 section 5.1). The exit code must be 0.
/// Otherwise the error contains the end of stderr, in which likely tokens, keys and passwords are
/// masked.
///
/// The program is found in `PATH` and runs without a shell. Its environment states what the token
/// is for: `TRIPWIRE_RESOURCE` (`providers/p/trips/t1`), and for trips and vehicles also
/// `TRIPWIRE_TRIP_ID` and `TRIPWIRE_VEHICLE_ID`, as far as the context has them. Its stdin is empty;
/// it has no terminal and inherits no open files. After `timeout`, or when no call waits for it, it is
/// killed together with all processes that it started. At most four programs run at the same time for
/// each provider.
public struct CommandToken: AuthTokenProvider {
  private let arguments: [String]
  private let dependsOnContext: Bool
  private let timeout: Duration
  /// Whether the program is the shell, which errors do not name.
  private var isShell = false
  private let semaphore = AsyncSemaphore(4)

  /// Creates a provider that runs a program without a shell.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments. Other users of the machine can see them.
  ///   - dependsOnContext: whether the program runs for each ``AuthorizationContext``; false if one
  ///     token is valid for all.
  ///   - timeout: the maximum run time.
  public init(
    _ arguments: [String], dependsOnContext: Bool = true, timeout: Duration = .seconds(60)
  ) {
    self.arguments = arguments
    self.dependsOnContext = dependsOnContext
    self.timeout = timeout
  }

  /// Creates a provider that runs a line with `sh -c`.
  public init(shell line: String, dependsOnContext: Bool = true, timeout: Duration = .seconds(60)) {
    self.init(["/bin/sh", "-c", line], dependsOnContext: dependsOnContext, timeout: timeout)
    isShell = true
  }

  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext {
    dependsOnContext ? context : .any
  }

  /// Runs the program and returns the token that it prints.
  ///
  /// - Throws: ``TokenError``, or CancellationError.
  public func token(for context: AuthorizationContext) async throws -> AuthToken {
    guard let name = arguments.first else {
      throw TokenError.commandFailed(program: "", reason: "is empty")
    }
    let variables: [String: String?] = [
      "TRIPWIRE_RESOURCE": context.resourceName, "TRIPWIRE_TRIP_ID": context.tripID,
      "TRIPWIRE_VEHICLE_ID": context.vehicleID,
    ]
    try await semaphore.wait()
    defer { semaphore.signal() }
    let output = try await TokenProgram(
      name: isShell ? "" : name, arguments: arguments, variables: variables, timeout: timeout
    ).output()
    return try Self.token(output, now: WallTime.now)
  }

  /// Parses the output of the program.
  static func token(_ output: [UInt8], now: Double) throws(TokenError) -> AuthToken {
    let text = output.trimmingWhitespace()
    guard text.first == UInt8(ascii: "{") else {
      let token = String(decoding: text, as: UTF8.self)
      try TokenError.check(token)
      return AuthToken(token)
    }
    let object = try Struct(tokenJSON: Array(text))
    let credential = object.object("status") ?? object
    let time = "expirationTimestamp"
    let expiry: TokenExpiry =
      if let number = credential.number(time) {
        number < TokenExpiry.leastMilliseconds
          ? .secondsSince1970(time) : .millisecondsSince1970(time)
      } else if credential.has(time) {
        .rfc3339(time)
      } else if let name = ["expiresIn", "expires_in"].first(where: credential.has) {
        .secondsFromNow(name)
      } else {
        .unstated
      }
    let name = ["token", "jwt", "access_token"].first(where: credential.has) ?? "token"
    return try AuthToken(credential, token: name, expiry, now: now)
  }
}

extension CommandToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A description without the arguments, which may contain secrets.
  public var description: String { "CommandToken(\(arguments.first ?? ""), …)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
