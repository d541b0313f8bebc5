import WireGRPC
import WireIO

// The work before a call is sent.

/// The options of a call after all interceptors, its observers, and the error if it is refused.
struct InterceptedCall: Sendable {
  var options: CallOptions
  var observers = CallObservers()
  var error: CallError?
}

/// An interceptor, with its kind determined once.
private enum Interceptor: Sendable {
  case observer(any CallObserver)
  case other(any ClientInterceptor)

  /// Whether it may wait or refuse calls.
  var needsTask: Bool {
    if case .other = self { true } else { false }
  }

  init(_ interceptor: any ClientInterceptor) {
    self = (interceptor as? any CallObserver).map(Self.observer) ?? .other(interceptor)
  }

  func start(
    _ call: inout StartingCall, _ start: ContinuousClock.Instant, on loop: EventLoop
  ) async throws(CallError) {
    switch self {
    case .observer(let observer):
      observer.observe(&call)
    case .other(let interceptor):
      let before = call
      call = try await wait(
        until: Timeout.deadline(call.timeout, from: start), on: loop, for: interceptor.name
      ) {
        var call = before
        try await interceptor.start(&call)
        return call
      }
    }
  }
}

/// The interceptors and metrics of a channel.
struct Interception: Sendable {
  /// Whether there are interceptors or metrics.
  let isNeeded: Bool
  /// Whether an interceptor may wait or refuse calls.
  let needsTask: Bool
  private let interceptors: [Interceptor]
  private let metrics: (@Sendable (ChannelMetric) -> Void)?
  private let authority: String
  private let loop: EventLoop

  init(_ configuration: ChannelConfiguration, authority: String, loop: EventLoop) {
    // The kind is determined once, because the cast is too slow for every call.
    interceptors = configuration.interceptors.map(Interceptor.init)
    metrics = configuration.metrics
    self.authority = authority
    self.loop = loop
    isNeeded = !interceptors.isEmpty || metrics != nil
    needsTask = interceptors.contains(where: \.needsTask)
  }

  /// Returns the observers of a unary call that needs no task.
  func observers(
    path: String, metadata: Metadata, timeout: Duration?, start: ContinuousClock.Instant,
    _ completion: CallCompletion
  ) -> CallObservers {
    var call = StartingCall(
      path: path, kind: .unary, authority: authority, metadata: metadata, timeout: timeout)
    if let metrics { CallMeter.observe(&call, start: start, report: metrics) }
    for case .observer(let observer) in interceptors { observer.observe(&call) }
    return CallObservers(call.observers, completion: completion)
  }

  /// Runs the interceptors in order, until the call's deadline at most. Returns the observers even
  /// if the call is refused.
  func intercept(
    path: String, kind: MethodKind, _ options: CallOptions, start: ContinuousClock.Instant,
    _ completion: CallCompletion
  ) async -> InterceptedCall {
    var call = StartingCall(
      path: path, kind: kind, authority: authority, metadata: options.metadata,
      timeout: options.timeout)
    if let metrics { CallMeter.observe(&call, start: start, report: metrics) }
    var failure: CallError?
    do throws(CallError) {
      for interceptor in interceptors { try await interceptor.start(&call, start, on: loop) }
      for interceptor in options.interceptors {
        try await Interceptor(interceptor).start(&call, start, on: loop)
      }
    } catch {
      failure = error
    }
    var options = options
    options.metadata = call.metadata
    options.timeout = call.timeout
    return InterceptedCall(
      options: options, observers: CallObservers(call.observers, completion: completion),
      error: failure)
  }
}
