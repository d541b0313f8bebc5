public import Tripwire
import WireGRPC
import WireSystem

/// Tokens from an HTTPS endpoint that answers with JSON.
///
///     let provider = try HTTPToken(
///       url: "https://backend.example/token/consumer/{tripID}", token: "jwt",
///       expiry: .millisecondsSince1970("expirationTimestamp"))
///
/// `{tripID}`, `{vehicleID}` and `{resourceName}` stand for what the token is for, percent-encoded. A
/// status of 401 or 403 fails the call with UNAUTHENTICATED or PERMISSION_DENIED, one of 408, 429 or
/// 5xx, no connection and no answer in time with UNAVAILABLE, all else with UNAUTHENTICATED. Redirects
/// are not followed: headers with secrets would go with them.
///
/// This is the one product of the package that needs Foundation.
public struct HTTPToken: AuthTokenProvider {
  /// Headers for a request: who the user is to the endpoint.
  public typealias Headers = @Sendable () async throws -> [String: String]

  private let url: URLTemplate
  private let headers: Headers
  private let tokenName: String
  private let expiry: TokenExpiry
  private let timeout: Duration
  private let transfers: Transfers

  /// - Parameters:
  ///   - url: begins with `https://`; `http://` is for the loopback only.
  ///   - headers: asked for before every request.
  ///   - token: the member of the JSON object that is the token.
  ///   - expiry: which member says when it expires, and how. A JWT says so itself.
  ///   - timeout: how long an answer may take.
  /// - Throws: ``HTTPTokenError`` for a URL that cannot be used.
  public init(
    url: String, headers: @escaping Headers = { [:] }, token: String = "token",
    expiry: TokenExpiry = .unstated, timeout: Duration = .seconds(10)
  ) throws(HTTPTokenError) {
    self.url = try URLTemplate(url)
    self.headers = headers
    tokenName = token
    self.expiry = expiry
    self.timeout = timeout
    transfers = Transfers(timeout: timeout)
  }

  /// Tokens of a URL that names nothing are good for all.
  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext {
    url.isFixed ? .any : context
  }

  /// - Throws: `CallError`, ``HTTPTokenError``, `TokenError`, CancellationError, or what `headers` does.
  public func token(for context: AuthorizationContext) async throws -> AuthToken {
    let url = try url.url(for: context)
    let answer = try await transfers.get(url, headers: try await headers())
    switch answer.status {
    case 200..<300: break
    case 401: throw failure(.unauthenticated, url, "answered with status 401")
    case 403: throw failure(.permissionDenied, url, "answered with status 403")
    case 408, 429, 500...:
      throw failure(.unavailable, url, "answered with status \(answer.status)")
    default:
      throw HTTPTokenError(
        description: "the token endpoint \(url.place) answered with status \(answer.status)")
    }
    return try AuthToken(json: answer.body, token: tokenName, expiry, now: WallTime.now)
  }

  private func failure(_ code: StatusCode, _ url: TokenURL, _ reason: String) -> CallError {
    CallError(code: code, message: "the token endpoint \(url.place) \(reason)", origin: .local)
  }
}

extension HTTPToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Without the query of the URL: there may be a key in it.
  public var description: String { "HTTPToken(\(url.place))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why an endpoint gives no token. Never holds one, nor a header, nor the query of the URL.
public struct HTTPTokenError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}
