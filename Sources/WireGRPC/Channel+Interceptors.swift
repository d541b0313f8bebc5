// What is done on this side before a call is sent.

/// What a call is sent with: its options as the interceptors leave them, and who observes it.
struct InterceptedCall: Sendable {
  var options: CallOptions
  var observers: [@Sendable (CallEvent) -> Void] = []
  var error: CallError?
}

/// What a channel does for each of its calls.
struct Interception: Sendable {
  let interceptors: [any ClientInterceptor]
  let metrics: (@Sendable (ChannelMetric) -> Void)?
  let authority: String

  /// Asks the interceptors in their order, no longer than the call may last. Those who observe are
  /// returned whether or not the call may be sent.
  func intercept(
    path: String, kind: MethodKind, _ options: CallOptions, start: ContinuousClock.Instant
  ) async -> InterceptedCall {
    var call = StartingCall(
      path: path, kind: kind, authority: authority, metadata: options.metadata,
      timeout: options.timeout)
    if let metrics { CallMeter.observe(&call, start: start, report: metrics) }
    var failure: CallError?
    do throws(CallError) {
      for interceptor in interceptors + options.interceptors {
        let before = call
        call = try await wait(
          until: Timeout.deadline(call.timeout, from: start), for: interceptor.name
        ) {
          var call = before
          try await interceptor.start(&call)
          return call
        }
      }
    } catch {
      failure = error
    }
    var options = options
    options.metadata = call.metadata
    options.timeout = call.timeout
    return InterceptedCall(options: options, observers: call.observers, error: failure)
  }
}
