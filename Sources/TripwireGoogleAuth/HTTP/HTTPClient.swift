package import WireGRPCClient
import WireSystem
package import WireTLS

/// Makes HTTP requests with libcurl, each on a thread of its own: a program asks for a token about once an hour.
///
/// Not with our own HTTP/2, because the metadata server and the servers of other clouds speak HTTP/1.1
/// (docs/decisions/fleet/http-for-tokens.md). Redirects are not followed: a request has credentials.
package struct HTTPClient: Sendable {
  package var trust = TLSConfiguration.Trust.system
  package var proxy = ChannelConfiguration.ProxySource.environment
  /// `HOST:PORT:ADDRESS:PORT`, as in curl's `--connect-to`.
  package var connectTo: [String] = []
  /// Called with a line after each request.
  package var trace: (@Sendable (String) -> Void)?

  /// The longest response in bytes.
  static let longest = 128 * 1024

  package init() {}

  /// Sends a request. If the task is canceled, this returns at once, and the thread ends within a second.
  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let race = FirstResult<Result<HTTPResponse, HTTPFailure>>()
    let transfer = HTTPTransfer()
    let start = ContinuousClock.now
    do throws(IOError) {
      try Thread(for: "an HTTP request") {
        transfer.run(request, self) { race.end($0) }
      }.detach()
    } catch {
      throw .noThread
    }
    let result = await withTaskCancellationHandler {
      await race.wait()
    } onCancel: {
      transfer.cancel()
      race.end(.failure(.canceled))
    }
    trace?(Self.line(request, result, ContinuousClock.now - start))
    return try result.get()
  }

  /// "POST https://oauth2.googleapis.com/token: status 200 (31 ms)": nothing that may be secret.
  private static func line(
    _ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPFailure>, _ time: Duration
  ) -> String {
    let outcome =
      switch result {
      case .success(let response): "status \(response.status)"
      case .failure(let failure): "\(failure)"
      }
    return
      "\(request.body == nil ? "GET" : "POST") \(request.shownURL): \(outcome) (\(Int64(time / .milliseconds(1))) ms)"
  }
}
