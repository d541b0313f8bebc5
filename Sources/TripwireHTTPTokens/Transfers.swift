import Foundation
import WireGRPC
import WireGRPCClient
import WireSystem

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// HTTP requests with short responses.
final class Transfers: Sendable {
  struct Answer: Sendable {
    let status: Int
    let body: [UInt8]
  }

  private let session: URLSession
  private let running = RunningTransfers()
  private let timeout: Duration

  init(timeout: Duration) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    self.timeout = timeout
    session = URLSession(configuration: configuration, delegate: running, delegateQueue: nil)
  }

  deinit {
    session.invalidateAndCancel()
  }

  /// - Throws: `CallError` (UNAVAILABLE) without a response, ``HTTPTokenError`` if the response is too long or
  ///   the server requires a client certificate, CancellationError.
  func get(_ url: TokenURL, headers: [String: String]) async throws -> Answer {
    var request = URLRequest(url: url.url)
    // On some systems URLSession counts whole seconds; the timer below is exact.
    request.timeoutInterval = (timeout / .seconds(1)).rounded(.up) + 1
    request.setValue("application/json", forHTTPHeaderField: "accept")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: request)
    let race = running.begin(task)
    let alarm = Task { [timeout] in
      try await Task.sleep(for: timeout)
      race.end(.failure(URLError(.timedOut)))
    }
    defer {
      alarm.cancel()
      // Has no effect after the end.
      task.cancel()
    }
    do {
      return try await withTaskCancellationHandler {
        task.resume()
        return await race.wait()
      } onCancel: {
        race.end(.failure(CancellationError()))
      }.get()
    } catch let error as URLError {
      throw Self.failure(error, url)
    } catch is RunningTransfers.TooLong {
      throw url.error("answered with more than \(RunningTransfers.limit / 1024) KiB")
    }
  }

  private static func failure(_ error: URLError, _ url: TokenURL) -> any Error {
    // Foundation's messages may contain the whole URL.
    let reason: String
    switch error.code {
    case .clientCertificateRejected, .clientCertificateRequired:
      return url.error("requires a client certificate (URLError \(error.code.rawValue))")
    case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
      .serverCertificateHasUnknownRoot, .secureConnectionFailed:
      reason = "offers no secure connection (URLError \(error.code.rawValue))"
    case .timedOut: reason = "did not answer in time"
    case .cannotConnectToHost: reason = "refused the connection"
    case .cannotFindHost, .dnsLookupFailed: reason = "cannot be resolved"
    default: reason = "cannot be reached (URLError \(error.code.rawValue))"
    }
    return url.failure(.unavailable, reason)
  }
}

/// The requests without a response yet; receives the events of the session.
private final class RunningTransfers: NSObject, URLSessionDataDelegate, Sendable {
  typealias Outcome = Result<Transfers.Answer, any Error>
  struct TooLong: Error {}

  /// The largest response: a token in JSON.
  static let limit = 128 * 1024

  private struct Transfer {
    let race: FirstResult<Outcome>
    var body: [UInt8] = []
  }

  private let transfers = Locked<[Int: Transfer]>([:])

  func begin(_ task: URLSessionTask) -> FirstResult<Outcome> {
    let race = FirstResult<Outcome>()
    transfers.withLock { $0[task.taskIdentifier] = Transfer(race: race) }
    return race
  }

  private func end(_ task: URLSessionTask, _ outcome: (Transfer) -> Outcome) {
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    if let transfer { transfer.race.end(outcome(transfer)) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
  ) {
    let isTooLong = transfers.withLock { transfers in
      transfers[dataTask.taskIdentifier]?.body += Array(data)
      return (transfers[dataTask.taskIdentifier]?.body.count ?? 0) > Self.limit
    }
    guard isTooLong else { return }
    end(dataTask) { _ in .failure(TooLong()) }
    dataTask.cancel()
  }

  /// Redirects are not followed: the response is the one with the redirect.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    end(task) { _ in .success(Transfers.Answer(status: response.statusCode, body: [])) }
    completionHandler(nil)
    task.cancel()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    end(task) { transfer in
      if let error { return .failure(error) }
      guard let response = task.response as? HTTPURLResponse else {
        return .failure(URLError(.badServerResponse))
      }
      return .success(Transfers.Answer(status: response.statusCode, body: transfer.body))
    }
  }
}
