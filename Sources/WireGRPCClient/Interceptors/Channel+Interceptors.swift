import WireGRPC

// What is done on this side before a call is sent.

/// What a call is sent with: its options as the interceptors leave them, and who observes it.
struct InterceptedCall: Sendable {
  var options: CallOptions
  var observers: [@Sendable (CallEvent) -> Void] = []
  var error: CallError?
}

/// Who stands before a call.
private enum Interceptor: Sendable {
  case observer(any CallObserver)
  case other(any ClientInterceptor)

  init(_ interceptor: any ClientInterceptor) {
    self = (interceptor as? any CallObserver).map(Self.observer) ?? .other(interceptor)
  }

  func start(_ call: inout StartingCall, _ start: ContinuousClock.Instant) async throws(CallError) {
    switch self {
    case .observer(let observer):
      observer.observe(&call)
    case .other(let interceptor):
      let before = call
      call = try await wait(
        until: Timeout.deadline(call.timeout, from: start), for: interceptor.name
      ) {
        var call = before
        try await interceptor.start(&call)
        return call
      }
    }
  }
}

/// What a channel does for each of its calls.
struct Interception: Sendable {
  /// Whether there is anybody to ask about a call, or to tell.
  let isNeeded: Bool
  private let interceptors: [Interceptor]
  private let metrics: (@Sendable (ChannelMetric) -> Void)?
  private let authority: String

  init(_ configuration: ChannelConfiguration, authority: String) {
    // To find out who merely observes takes too long to do it for every call.
    interceptors = configuration.interceptors.map(Interceptor.init)
    metrics = configuration.metrics
    self.authority = authority
    isNeeded = !interceptors.isEmpty || metrics != nil
  }

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
      for interceptor in interceptors { try await interceptor.start(&call, start) }
      for interceptor in options.interceptors {
        try await Interceptor(interceptor).start(&call, start)
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
