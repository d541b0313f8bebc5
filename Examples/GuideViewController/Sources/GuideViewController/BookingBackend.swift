import Foundation
import RidesharingConsumer

/// Stands in for the app's own backend, which creates trips in Fleet Engine and signs tokens.
final class BookingBackend: Sendable {
  private let tripName: String

  init(tripName: String) {
    self.tripName = tripName
  }

  /// Calls `completion` on the main queue with the name of the new trip.
  func startTrip(
    from pickup: GMTSTerminalLocation?, to dropoff: GMTSTerminalLocation?,
    completion: @escaping @Sendable (String?, Error?) -> Void
  ) {
    DispatchQueue.main.async { [tripName] in completion(tripName, nil) }
  }
}

/// Returns a rider's token. An app requests it from its backend.
final class SampleAccessTokenProvider: NSObject, GMTCAuthorization {
  func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?,
    completion: @escaping GMTCAuthTokenFetchCompletionHandler
  ) {
    do {
      let token = try String(contentsOfFile: "token.jwt", encoding: .utf8)
      completion(token.trimmingCharacters(in: .whitespacesAndNewlines), nil)
    } catch {
      completion(nil, error)
    }
  }
}

/// Returns the same token for every trip: a test server accepts any.
final class TestTokenProvider: NSObject, GMTCAuthorization {
  func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?,
    completion: @escaping GMTCAuthTokenFetchCompletionHandler
  ) {
    completion("test", nil)
  }
}
