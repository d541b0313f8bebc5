public import Tripwire
import WireGRPC
import WireSystem

/// Tokens from an HTTPS endpoint that responds with JSON.
///
///     let provider = try HTTPToken(
///       url: "https://backend.example/token/consumer/{tripID}", token: "jwt",
///       expiry: .millisecondsSince1970("expirationTimestamp"))
///
/// `{tripID}`, `{vehicleID}` and `{resourceName}` in the URL are replaced with the values of the
/// `AuthorizationContext`, percent-encoded. A request that fails also fails the call:
///
/// | endpoint | call |
/// |---|---|
/// | 408, 429, 5xx, a timeout, no connection | UNAVAILABLE |
/// | 403 | PERMISSION_DENIED |
/// | 401, a TLS failure, anything else | UNAUTHENTICATED |
///
/// Redirects are not followed, because they would pass on headers with credentials.
///
/// This product needs Foundation.
public struct HTTPToken: AuthTokenProvider {
  /// The headers of a request, which authenticate the user to the endpoint.
  public typealias Headers = @Sendable () async throws -> [String: String]

  private let url: URLTemplate
  private let headers: Headers
  private let tokenName: String
  private let expiry: TokenExpiry
  private let timeout: Duration
  private let transfers: Transfers

  /// Creates a provider without sending a request.
  ///
  /// - Parameters:
  ///   - url: begins with `https://`; `http://` is allowed only for loopback addresses.
  ///   - headers: called before every request.
  ///   - token: the member of the JSON object that is the token.
  ///   - expiry: the member with the expiry, and its unit. May be left out for JWTs, which contain
  ///     their expiry.
  ///   - timeout: the maximum time to wait for a response.
  /// - Throws: ``HTTPTokenError`` for an invalid URL.
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

  /// Returns one context for all calls if the URL has no placeholder: one token is then valid for all
  /// resources.
  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext {
    url.isFixed ? .any : context
  }

  /// Requests a token.
  ///
  /// - Throws: `CallError`, ``HTTPTokenError``, `TokenError`, CancellationError, or an error of `headers`.
  public func token(for context: AuthorizationContext) async throws -> AuthToken {
    let url = try url.url(for: context)
    let answer = try await transfers.get(url, headers: try await headers())
    switch answer.status {
    case 200..<300: break
    case 401: throw url.failure(.unauthenticated, "answered with status 401")
    case 403: throw url.failure(.permissionDenied, "answered with status 403")
    case 408, 429, 500...:
      throw url.failure(.unavailable, "answered with status \(answer.status)")
    default: throw url.error("answered with status \(answer.status)")
    }
    return try AuthToken(json: answer.body, token: tokenName, expiry, now: WallTime.now)
  }
}

extension HTTPToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A description without the URL's query, which may contain a key.
  public var description: String { "HTTPToken(\(url.place))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why an endpoint returned no token. Never contains a token, a header or the query of the URL.
public struct HTTPTokenError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}
