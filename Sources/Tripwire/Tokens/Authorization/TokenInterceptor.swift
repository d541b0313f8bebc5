import WireGRPC
import WireGRPCClient
import WireSystem

/// Adds a token to a call that has none.
struct TokenInterceptor: ClientInterceptor {
  /// The name to which errors about a missing token are attributed.
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

/// The token with which a call was sent.
final class SentToken: Sendable {
  private let value: Locked<AuthToken?>

  init(_ token: AuthToken?) {
    value = Locked(token)
  }

  /// Nil until the call has a token.
  fileprivate(set) var token: AuthToken? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

extension TokenCache {
  /// Adds a token to a call: now if one is available, otherwise when the call starts.
  ///
  /// - Parameters:
  ///   - options: the options of the call. An `authorization` in them takes precedence.
  ///   - token: the token to use; nil asks the provider.
  /// - Returns: an object that contains the token after the call was sent.
  @discardableResult
  func authorize(
    _ options: inout CallOptions, on channel: Channel, for context: AuthorizationContext,
    with token: AuthToken? = nil
  ) -> SentToken {
    guard options.metadata[all: "authorization"].isEmpty else { return SentToken(nil) }
    // Interceptors run before the token is added: they cannot see it and may add their own.
    if !channel.isIntercepted(options) {
      do {
        if let token = try token ?? current(for: context) {
          try options.metadata.authorize(with: token)
          return SentToken(token)
        }
      } catch {
        // The interceptor encounters the same error and can report it.
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
