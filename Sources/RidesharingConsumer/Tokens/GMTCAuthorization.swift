import Tripwire

/// Takes a token, or why there is none; of both the error counts.
public typealias GMTCAuthTokenFetchCompletionHandler =
  @Sendable (_ token: String?, _ error: (any Error)?) -> Void

/// Where the tokens come from that prove to Fleet Engine who is asking.
///
/// Implement one of the two methods; each stands in for the other. The SDK demands, and so do we, that
/// it may be called on any thread, for several trips at the same time: the protocol cannot say so, as
/// the SDK's does not refine `Sendable`.
///
/// A token that says when it expires (a JWT's `exp`) is kept until five minutes before; any other for
/// five minutes, as the SDK has every token be good for so long. What it fails with reaches
/// ``GMTCTripModelSubscriber/tripModel(_:didFailUpdateTripWithError:)`` as UNAUTHENTICATED (16) of the
/// domain `io.grpc`, with the cause in its message and as its `NSUnderlyingErrorKey`.
public protocol GMTCAuthorization: AnyObject {
  /// Calls the completion at once or later, on any thread. Only its first call counts; where none
  /// comes, the request fails at its deadline, or when the completion is let go.
  func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?,
    completion: @escaping GMTCAuthTokenFetchCompletionHandler)

  /// A token, without "Bearer ".
  func fetchToken(with authorizationContext: GMTCAuthorizationContext?) async throws -> String
}

extension GMTCAuthorization {
  public func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?,
    completion: @escaping GMTCAuthTokenFetchCompletionHandler
  ) {
    let provider = TokenProvider(self)
    // Here from the other method, which stands in for this one.
    if FetchForm.standingIn?.isSame(as: provider) == true {
      return completion(nil, NoFetchMethod())
    }
    Task { await provider.complete(authorizationContext, completion) }
  }

  public func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?
  ) async throws -> String {
    let provider = TokenProvider(self)
    return try await FetchForm.$standingIn.withValue(provider) {
      let context = AuthorizationContext(
        resourceName: "", tripID: authorizationContext?.tripID)
      return try await provider.token(for: context).value
    }
  }
}

private enum FetchForm {
  /// Whose completion form is asked in place of the other; those that it asks in turn are not meant.
  @TaskLocal static var standingIn: TokenProvider?
}

private struct NoFetchMethod: Error, CustomStringConvertible {
  var description: String {
    "the GMTCAuthorization has no token: implement fetchToken(with:completion:)"
  }
}

/// What a token is for.
public final class GMTCAuthorizationContext: GMTCImmutableData, @unchecked Sendable {
  /// The bare ID, as in the claim `tripid`.
  public let tripID: String

  init(tripID: String) {
    self.tripID = tripID
    super.init(content: tripID)
  }
}
