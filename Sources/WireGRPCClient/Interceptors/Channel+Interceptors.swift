import WireGRPC
import WireIO

// The work before a call is sent.

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

struct Interception: Sendable {
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

  /// Runs the observers of a call that needs no task.
  func observe(
    _ call: inout PendingCall, at start: ContinuousClock.Instant, _ completion: CallCompletion
  ) {
    var starting = starting(call, start)
    for case .observer(let observer) in interceptors { observer.observe(&starting) }
    call.observers = CallObservers(starting.observers, completion: completion)
  }

  /// Runs the interceptors in order, until the call's deadline at most. An error of an interceptor
  /// replaces the refusal of the call.
  func intercept(
    _ call: inout PendingCall, at start: ContinuousClock.Instant, _ completion: CallCompletion
  ) async {
    var starting = starting(call, start)
    do throws(CallError) {
      for interceptor in interceptors {
        try await interceptor.start(&starting, start, on: loop)
      }
      for interceptor in call.options.interceptors {
        try await Interceptor(interceptor).start(&starting, start, on: loop)
      }
    } catch {
      call.refusal = error
    }
    call.options.metadata = starting.metadata
    call.options.timeout = starting.timeout
    call.observers = CallObservers(starting.observers, completion: completion)
  }

  private func starting(
    _ call: PendingCall, _ start: ContinuousClock.Instant
  ) -> StartingCall {
    var starting = StartingCall(
      path: call.path, kind: call.kind, authority: authority, metadata: call.options.metadata,
      timeout: call.options.timeout)
    if let metrics { starting.measure(since: start, report: metrics) }
    return starting
  }
}
