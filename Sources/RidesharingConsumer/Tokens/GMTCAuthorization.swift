import Tripwire

/// Receives a token or an error. If both are given, the token is ignored.
public typealias GMTCAuthTokenFetchCompletionHandler =
  @Sendable (_ token: String?, _ error: (any Error)?) -> Void

/// Provides the tokens that authenticate the app to Fleet Engine.
///
/// Implement one of the two methods; the other has a default. As in the SDK, they are called on any
/// thread, and for several trips at the same time. The compiler does not check this, because the
/// protocol, like the SDK's, does not refine `Sendable`.
///
/// A token with an expiry time (a JWT's `exp`) is renewed in the last fifth of its lifetime, at most five
/// minutes before it expires. The SDK requires tokens that are valid for at least five minutes, so a token
/// without an expiry time is cached for five minutes.
///
/// An error reaches ``GMTCTripModelSubscriber/tripModel(_:didFailUpdateTripWithError:)`` in the domain
/// `io.grpc` as UNAUTHENTICATED (16), or as UNAVAILABLE (14) if it is a network error, with the cause in its
/// message and as its `NSUnderlyingErrorKey`.
public protocol GMTCAuthorization: AnyObject {
  /// Calls the completion at once or later, on any thread. Only the first result is used. If the
  /// completion is never called, the request fails at its deadline, or when the completion is
  /// released.
  func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?,
    completion: @escaping GMTCAuthTokenFetchCompletionHandler)

  /// Returns a token, without "Bearer ".
  func fetchToken(with authorizationContext: GMTCAuthorizationContext?) async throws -> String
}

extension GMTCAuthorization {
  public func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?,
    completion: @escaping GMTCAuthTokenFetchCompletionHandler
  ) {
    let provider = TokenProvider(self)
    // This default was called by the default of the other method, so the app implements neither.
    if FetchForm.defaultCaller?.isSame(as: provider) == true {
      return completion(nil, NoFetchMethod())
    }
    Task { await provider.complete(authorizationContext, completion) }
  }

  public func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?
  ) async throws -> String {
    let provider = TokenProvider(self)
    return try await FetchForm.$defaultCaller.withValue(provider) {
      let context = AuthorizationContext(
        resourceName: "", tripID: authorizationContext?.tripID)
      return try await provider.token(for: context).value
    }
  }
}

private enum FetchForm {
  /// The provider whose completion method is called by the default of the other. Providers that it
  /// calls in turn do not count.
  @TaskLocal static var defaultCaller: TokenProvider?
}

private struct NoFetchMethod: Error, CustomStringConvertible {
  var description: String {
    "the GMTCAuthorization implements neither fetchToken method: implement"
      + " fetchToken(with:completion:)"
  }
}

/// The purpose of a token.
public final class GMTCAuthorizationContext: GMTCImmutableData, @unchecked Sendable {
  /// The ID alone, as in the claim `tripid`.
  public let tripID: String

  init(tripID: String) {
    self.tripID = tripID
    super.init(content: tripID)
  }
}
