import Tripwire

/// Adapts an app's provider to Tripwire.
///
/// `@unchecked Sendable`: it only calls the provider, which any thread may call; see
/// ``GMTCAuthorization``.
struct TokenProvider: AuthTokenProvider, @unchecked Sendable {
  private let provider: any GMTCAuthorization

  init(_ provider: any GMTCAuthorization) {
    self.provider = provider
  }

  func isSame(as other: TokenProvider) -> Bool { provider === other.provider }

  func token(for context: AuthorizationContext) async throws -> AuthToken {
    let fetch = CompletionToken { context, completion in
      let context = context.tripID.map(GMTCAuthorizationContext.init)
      provider.fetchToken(with: context) { token, error in
        completion(token, error.map(DescribedError.describing))
      }
    }
    return try await fetch.token(for: context)
  }

  /// Completes with the result of the provider's other method.
  func complete(
    _ context: GMTCAuthorizationContext?, _ completion: GMTCAuthTokenFetchCompletionHandler
  ) async {
    do {
      completion(try await provider.fetchToken(with: context), nil)
    } catch {
      completion(nil, error)
    }
  }
}
