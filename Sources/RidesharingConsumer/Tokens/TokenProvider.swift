import Tripwire

/// An app's provider, as Tripwire asks it.
///
/// `@unchecked Sendable`: it only calls the provider, which may be called on any thread; see
/// ``GMTCAuthorization``.
struct TokenProvider: AuthTokenProvider, @unchecked Sendable {
  private let provider: any GMTCAuthorization

  init(_ provider: any GMTCAuthorization) {
    self.provider = provider
  }

  func token(for context: AuthorizationContext) async throws -> AuthToken {
    try await token(for: context.tripID.map(GMTCAuthorizationContext.init), context)
  }

  func token(for context: GMTCAuthorizationContext?) async throws -> String {
    try await token(for: context, AuthorizationContext(resourceName: "")).value
  }

  private func token(
    for context: GMTCAuthorizationContext?, _ ours: AuthorizationContext
  ) async throws -> AuthToken {
    try await CompletionToken { _, completion in
      provider.fetchToken(with: context) { completion($0, $1.map(DescribedError.describing)) }
    }.token(for: ours)
  }

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
