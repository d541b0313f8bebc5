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
/// A token that says when it expires (a JWT's `exp`) is kept until five minutes before; any other is
/// asked for before every call. What it fails with reaches
/// ``GMTCTripModelSubscriber/tripModel(_:didFailUpdateTripWithError:)`` as UNAUTHENTICATED (16) of the
/// domain `io.grpc`, with the cause in its message.
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
    // Here from the other method, which stands in for this one.
    guard !FetchForm.isStandingIn else { return completion(nil, NoFetchMethod()) }
    let provider = TokenProvider(self)
    Task { await provider.complete(authorizationContext, completion) }
  }

  public func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?
  ) async throws -> String {
    try await FetchForm.$isStandingIn.withValue(true) {
      let context = AuthorizationContext(
        resourceName: "", tripID: authorizationContext?.tripID)
      return try await TokenProvider(self).token(for: context).value
    }
  }
}

private enum FetchForm {
  @TaskLocal static var isStandingIn = false
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
