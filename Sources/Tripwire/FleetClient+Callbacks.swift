import WireGRPC
import WireGRPCClient
import WireIO

extension FleetClient {
  /// The outcome of the first attempt of a call.
  enum AttemptResult: Sendable {
    case ended(Result<RawResponse, CallError>)
    /// The server refused the token. The second attempt may have to wait for another.
    case refused(secondAttempt: @Sendable () async throws(CallError) -> RawResponse)
  }

  /// Starts a call without a task, on the channel's loop. The call is like ``rawCall(_:_:for:_:)``.
  ///
  /// - Parameters:
  ///   - options: as ``Channel/complete(_:for:)`` returns them.
  ///   - report: called on the loop, after this function has returned.
  /// - Returns: cancels the call; nil if it needs a task, because it has to wait for a token or for an
  ///   interceptor, or because its metadata is invalid.
  func start(
    _ message: [UInt8], to path: String, on channel: Channel, _ route: RequestRoute,
    for context: AuthorizationContext, _ options: CallOptions,
    report: @escaping @Sendable (AttemptResult) -> Void
  ) -> (@Sendable () -> Void)? {
    let start = channel.loop.now
    let needsToken = options.metadata[all: "authorization"].isEmpty
    let tokens = needsToken ? tokens : nil
    let token = try? tokens?.current(for: context)
    if tokens != nil, token == nil { return nil }
    guard !channel.needsTask(options),
      let headers = headers.prepared(route, token, own: options.metadata)
    else { return nil }
    if let tokens, let token { tokens.willSend?(token, context) }
    let id = channel.start(path: path, message, options, headers, at: start) { result in
      guard case .failure(let error) = result, error.isRefusalOfToken, let tokens, let token
      else {
        report(.ended(result))
        return
      }
      var options = options
      options.metadata = route.metadata(own: options.metadata)
      report(
        .refused { [options] () async throws(CallError) in
          try await withOtherToken(
            after: error, of: token, from: tokens, on: channel, for: context, options,
            until: Timeout.deadline(options.timeout, from: start)
          ) { attempt throws(CallError) in
            try await attempt.send(message, to: path, on: channel)
          }
        })
    }
    return { channel.cancel(id) }
  }
}
