import WireGRPC
import WireGRPCClient
import WireSystem

/// Gives a call its token, unless it has one.
struct TokenInterceptor: ClientInterceptor {
  /// Who is to blame when there is none.
  static let who = "the token provider"

  let tokens: TokenCache
  let context: AuthorizationContext
  let sent: SentToken

  var name: String { Self.who }

  func start(_ call: inout StartingCall) async throws {
    guard call.metadata["authorization"] == nil else { return }
    do {
      var token = sent.token
      if token == nil { token = try await tokens.token(for: context) }
      guard let token else { return }
      try call.metadata.authorize(with: token)
      sent.token = token
    } catch let error where !(error is CallError || error is CancellationError) {
      var failure = CallError(code: .unauthenticated, message: "\(error)", origin: .local)
      failure.underlyingError = error
      throw failure
    }
  }
}

/// The token that a call was sent with.
final class SentToken: Sendable {
  private let value: Locked<AuthToken?>

  init(_ token: AuthToken?) {
    value = Locked(token)
  }

  /// Nil as long as there is none.
  fileprivate(set) var token: AuthToken? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

extension TokenCache {
  /// Gives a call its token: at once if it is at hand, else when the call starts.
  ///
  /// - Parameters:
  ///   - options: of a call, which keeps the `authorization` that it has.
  ///   - token: the one to use; nil asks for it.
  /// - Returns: where the token is once the call was sent.
  @discardableResult
  func authorize(
    _ options: inout CallOptions, on channel: Channel, for context: AuthorizationContext,
    with token: AuthToken? = nil
  ) -> SentToken {
    guard options.metadata[all: "authorization"].isEmpty else { return SentToken(nil) }
    // Interceptors come before the token: they do not see it, and may bring one of their own.
    if !channel.isIntercepted(options) {
      do {
        if let token = try token ?? current(for: context) {
          try options.metadata.authorize(with: token)
          return SentToken(token)
        }
      } catch {
        // The interceptor will find the same, and can say so.
      }
    }
    let sent = SentToken(token)
    options.interceptors.append(TokenInterceptor(tokens: self, context: context, sent: sent))
    return sent
  }
}

extension Metadata {
  fileprivate mutating func authorize(with token: AuthToken) throws(MetadataError) {
    try append("authorization", "Bearer " + token.value)
  }
}
