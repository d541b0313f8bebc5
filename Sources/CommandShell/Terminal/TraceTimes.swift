import Tripwire

/// Measures the steps of calls and connections from the events of a trace.
package struct TraceTimes {
  typealias Steps = [(name: String, time: Duration)]

  /// The step or the call that an event ended.
  struct Note {
    /// The time of the step that the event ended; nil if it ended none.
    var elapsed: Duration?
    /// The call that the event ended.
    var finished: CallTiming?
  }

  private struct Call {
    let begin: ContinuousClock.Instant
    /// When its last step ended.
    var last: ContinuousClock.Instant
    var steps: Steps = []
  }

  /// When the command or the last connection began; nil after the end of a call that waited for it.
  private var setupBegin: ContinuousClock.Instant?
  /// When the last step of a connection ended.
  private var last: ContinuousClock.Instant
  /// The steps of connections and of reflection since the end of the last call.
  private var setup: Steps = []
  private var calls: [UInt64: Call] = [:]
  private var reflection: UInt64?
  /// The prefix of the paths of reflection calls.
  package static let reflectionPrefix = "/grpc.reflection."

  /// - Parameter start: when the command began.
  init(start: ContinuousClock.Instant) {
    setupBegin = start
    last = start
  }

  mutating func note(_ event: TraceEvent) -> Note {
    if let call = event.call, calls[call] == nil {
      calls[call] = Call(begin: event.time, last: event.time)
    }
    switch event.step {
    case .resolving, .connecting:
      last = event.time
      setupBegin = setupBegin ?? event.time
      return Note()
    case .resolved, .resolveFailed: return setupEnded("resolve", event)
    case .connectFailed, .connected: return setupEnded("connect", event)
    case .tunneled: return setupEnded("proxy", event)
    case .tls: return setupEnded("TLS", event)
    case .ready: return setupEnded("settings", event)
    case .requestHeaders(let headers):
      if let call = event.call { calls[call]?.last = event.time }
      if headers.contains(where: {
        $0.name == ":path" && $0.value.hasPrefix(Self.reflectionPrefix)
      }) {
        reflection = event.call
      }
      return Note()
    case .responseHeaders: return ended("response", event)
    case .responseMessage: return ended("message", event)
    case .finished(let code): return Note(finished: end(code, event))
    case .requestMessage, .informational, .trailers, .frame, .goAway, .keepaliveSlowed,
      .transparentRetry, .retry, .notRetried, .closed:
      return Note()
    }
  }

  /// Whether the event belongs to a reflection call, whose time counts as setup.
  private func isReflection(_ event: TraceEvent) -> Bool {
    event.call != nil && event.call == reflection
  }

  private mutating func setupEnded(_ name: String, _ event: TraceEvent) -> Note {
    let time = event.time - last
    last = event.time
    Self.add(name, time, to: &setup)
    return Note(elapsed: time)
  }

  private mutating func ended(_ name: String, _ event: TraceEvent) -> Note {
    guard let number = event.call, var call = calls[number] else { return Note() }
    let time = event.time - call.last
    call.last = event.time
    if isReflection(event) {
      Self.add("reflection", time, to: &setup)
    } else {
      Self.add(name, time, to: &call.steps)
    }
    calls[number] = call
    return Note(elapsed: time)
  }

  /// Adds a step. All messages of a stream are one step.
  private static func add(_ name: String, _ time: Duration, to steps: inout Steps) {
    if let step = steps.last, step.name == name {
      steps[steps.count - 1].time += time
    } else {
      steps.append((name, time))
    }
  }

  private mutating func end(_ code: StatusCode, _ event: TraceEvent) -> CallTiming {
    let call = event.call.flatMap { calls.removeValue(forKey: $0) }
    let begin = call?.begin ?? event.time
    let timing = CallTiming(
      path: event.path, code: code, isReflection: isReflection(event),
      steps: setup + (call?.steps ?? []), total: event.time - min(setupBegin ?? begin, begin))
    if !timing.isReflection {
      setup = []
      setupBegin = nil
    }
    return timing
  }
}
