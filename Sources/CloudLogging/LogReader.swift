package import Tripwire
package import WireGRPC
package import WireGRPCClient

/// Calls Cloud Logging.
package struct LogReader: Sendable {
  /// The host of the API.
  package static let host = "logging.googleapis.com"
  /// The method that is called, without the first slash.
  package static let method = String(LoggingServiceV2Methods.listLogEntries.path.dropFirst())
  /// The least limit for the size of a response. A page may have 1,000 entries of 256 KiB.
  private static let responseLimit = 256 << 20

  private let channel: Channel
  private let tokens: TokenCache?
  private let options: @Sendable (RetryPolicy?) -> CallOptions

  /// - Parameter options: returns the options of each call, for the retry policy of the API.
  package init(
    _ channel: Channel, _ tokens: TokenCache?,
    _ options: @escaping @Sendable (RetryPolicy?) -> CallOptions
  ) {
    (self.channel, self.tokens, self.options) = (channel, tokens, options)
  }

  package func list(
    _ request: ListLogEntriesRequest
  ) async throws(CallError) -> LogPage {
    let method = LoggingServiceV2Methods.listLogEntries
    var options = channel.complete(options(method.retryPolicy), for: method)
    options.maxReceiveMessageSize = max(options.maxReceiveMessageSize, Self.responseLimit)
    return try await withToken(of: tokens, on: channel, for: .any, options) {
      attempt throws(CallError) in
      try await attempt.send(request.serializedBytes(), to: method.path, on: channel)
    }.decode().message
  }

  /// Reads one entry of the project, which needs the permission `logging.logEntries.list`.
  package func check(project: String) async throws(CallError) {
    _ = try await list(
      ListLogEntriesRequest(resourceNames: ["projects/\(project)"], pageSize: 1))
  }
}
