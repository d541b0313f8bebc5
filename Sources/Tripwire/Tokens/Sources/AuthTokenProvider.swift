/// A source of tokens that authenticate calls to Fleet Engine.
///
///     struct OurBackend: AuthTokenProvider {
///       func token(for context: AuthorizationContext) async throws -> AuthToken {
///         AuthToken(try await fetch("tokens/\(context.tripID ?? "")"))
///       }
///     }
///
/// ``FleetServices`` keeps the tokens in a ``TokenCache``. It asks the provider again when a token
/// is about to expire or the server has refused one, once for all waiting calls. The provider runs
/// in a task of its own, not in that of a call. It may run for several contexts at the same time. It
/// has no time limit of its own: when the last waiting call ends, the provider's task is canceled.
///
/// If the provider throws, the call fails with UNAUTHENTICATED, with the error in the message and as
/// `underlyingError`. For a network error, such as a `URLError` after a timeout, the code is UNAVAILABLE, and
/// a model backs off. A ``/WireGRPCClient/CallError`` keeps its code, such as UNAVAILABLE, unless only
/// a server may use it: NOT_FOUND becomes INTERNAL (gRFC A54). The token never appears in error
/// messages, logs or traces. The `details`, `headers` and `trailers` of a `CallError` are not masked.
public protocol AuthTokenProvider: Sendable {
  /// Returns a token for a call.
  func token(for context: AuthorizationContext) async throws -> AuthToken

  /// Returns the context under which the token is cached. All contexts with the same result share a
  /// token. By default it is the context itself, because a consumer's token is valid for one trip
  /// only.
  func sharedContext(for context: AuthorizationContext) -> AuthorizationContext
}

extension AuthTokenProvider {
  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext { context }
}

/// A provider whose tokens are available without waiting and need no cache.
protocol ImmediateTokenProvider: AuthTokenProvider {
  /// Returns the present token without waiting.
  func immediateToken(for context: AuthorizationContext) throws -> AuthToken

  /// Whether the provider never has another token.
  var isFixed: Bool { get }

  /// The reason why there is no token other than the refused one, for use after "and".
  var reasonForNoOther: String { get }
}
