import Foundation
import FoundationNetworking
import RidesharingConsumer

/// Fetches tokens from an HTTPS server and caches them, like an app.
final class WebTokenProvider: NSObject, GMTCAuthorization {
  private struct AuthToken {
    let token: String
    let expiration: TimeInterval
    let tripID: String
  }

  enum AccessTokenError: Error {
    case missingAuthorizationContext
    case missingData
  }

  private let url: String
  private var authToken: AuthToken?

  init(url: String) {
    self.url = url
  }

  func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?,
    completion: @escaping GMTCAuthTokenFetchCompletionHandler
  ) {
    guard let authorizationContext = authorizationContext else {
      completion(nil, AccessTokenError.missingAuthorizationContext)
      return
    }
    let tripID = authorizationContext.tripID
    if let authToken = authToken,
      authToken.expiration > Date.now.timeIntervalSince1970 && authToken.tripID == tripID
    {
      completion(authToken.token, nil)
      return
    }
    let request = URLRequest(url: URL(string: url)!)
    let task = URLSession.shared.dataTask(with: request) { [weak self] data, _, error in
      guard let strongSelf = self else { return }
      guard error == nil else {
        completion(nil, error)
        return
      }
      guard let data = data,
        let fetchData = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
        let token = fetchData["jwt"] as? String,
        let expiration = fetchData["expiration"] as? Double
      else {
        completion(nil, AccessTokenError.missingData)
        return
      }
      strongSelf.authToken = AuthToken(token: token, expiration: expiration, tripID: tripID)
      completion(token, nil)
    }
    task.resume()
  }
}

/// Fetches tokens with a closure of the test.
final class ClosureTokenProvider: GMTCAuthorization {
  private let fetch:
    (GMTCAuthorizationContext?, @escaping GMTCAuthTokenFetchCompletionHandler) -> Void

  init(
    _ fetch:
      @escaping (
        GMTCAuthorizationContext?, @escaping GMTCAuthTokenFetchCompletionHandler
      ) -> Void
  ) {
    self.fetch = fetch
  }

  func fetchToken(
    with context: GMTCAuthorizationContext?,
    completion: @escaping (String?, Error?) -> Void
  ) {
    fetch(context) { completion($0, $1) }
  }
}

/// Implements the other of the two methods.
final class AsyncTokenProvider: GMTCAuthorization {
  func fetchToken(with context: GMTCAuthorizationContext?) async throws -> String {
    "token-of-\(context?.tripID ?? "nothing")"
  }
}
