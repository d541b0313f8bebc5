import Tripwire
import WireSystem

/// Formats the trace events of a channel as lines, like curl -v: `*` for events, `>` and `<` for sent and
/// received headers and messages, `}` and `{` for sent and received HTTP/2 frames. From the second call
/// on, the lines of a call begin with its number and method.
struct TracePrinter {
  private typealias Steps = [(name: String, time: Duration)]

  /// A call in flight.
  private struct CallTimes {
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
  private var calls: [UInt64: CallTimes] = [:]
  private var firstCall: UInt64?
  private var hasSeveralCalls = false
  /// The last reflection call.
  private var reflection: UInt64?

  /// - Parameter start: when the command began.
  init(start: ContinuousClock.Instant) {
    setupBegin = start
    last = start
  }

  /// Returns the lines for one step, each with its line end.
  mutating func lines(for event: TraceEvent) -> String {
    if let call = event.call { register(call, event.time) }
    let label = hasSeveralCalls ? event.label : ""
    return lines(event).map { escaped(label + $0) + "\n" }.joined()
  }

  private mutating func register(_ call: UInt64, _ time: ContinuousClock.Instant) {
    firstCall = firstCall ?? call
    hasSeveralCalls = hasSeveralCalls || call != firstCall
    if calls[call] == nil { calls[call] = CallTimes(begin: time, last: time) }
  }

  private mutating func lines(_ event: TraceEvent) -> [String] {
    switch event.step {
    case .resolving, .connecting:
      last = event.time
      setupBegin = setupBegin ?? event.time
      return event.lines
    case .resolved, .resolveFailed:
      return event.lines.map { $0 + setupEnded("resolve", event) }
    case .connectFailed, .connected:
      return event.lines.map { $0 + setupEnded("connect", event) }
    case .tunneled:
      return event.lines.map { $0 + setupEnded("proxy", event) }
    case .tls:
      return event.lines.map { $0 + setupEnded("TLS", event) }
    case .ready:
      return event.lines.map { $0 + setupEnded("settings", event) }
    case .requestHeaders(let headers):
      if let call = event.call { calls[call]?.last = event.time }
      if headers.contains(where: { $0.name == ":path" && $0.value.hasPrefix(Reflection.prefix) }) {
        reflection = event.call
      }
      return event.lines
    case .requestMessage(let bytes):
      return ["> [\(Units.bytes(bytes))]"]
    case .responseHeaders:
      return event.lines + ["* response started" + ended("response", event)]
    case .responseMessage(let bytes, let decompressed):
      let size =
        switch decompressed {
        case bytes: ""
        case nil: " compressed"
        case .some(let count): ", \(Units.bytes(count)) decompressed"
        }
      return ["< [\(Units.bytes(bytes))\(size)]" + ended("message", event)]
    case .finished(let code):
      return ["* \(end(code, event))"]
    case .retry(let attempt, let failure):
      let delay = Units.milliseconds(failure.delay)
      return ["* attempt \(attempt) failed: \(failure); retry in \(delay)"]
    case .informational, .trailers, .frame, .goAway, .keepaliveSlowed, .transparentRetry,
      .notRetried, .closed:
      return event.lines
    }
  }

  /// Whether the event belongs to a reflection call, whose time counts as setup.
  private func isReflection(_ event: TraceEvent) -> Bool {
    event.call != nil && event.call == reflection
  }

  /// Returns " in 1.2 ms", the time since the step before.
  private mutating func setupEnded(_ name: String, _ event: TraceEvent) -> String {
    let time = event.time - last
    last = event.time
    Self.add(name, time, to: &setup)
    return " in \(Units.milliseconds(time))"
  }

  /// Returns " in 1.2 ms", the time since the step before of a call.
  private mutating func ended(_ name: String, _ event: TraceEvent) -> String {
    guard let call = event.call, var times = calls[call] else { return "" }
    let time = event.time - times.last
    times.last = event.time
    if isReflection(event) {
      Self.add("reflection", time, to: &setup)
    } else {
      Self.add(name, time, to: &times.steps)
    }
    calls[call] = times
    return " in \(Units.milliseconds(time))"
  }

  /// Adds a step. All messages of a stream are one step.
  private static func add(_ name: String, _ time: Duration, to steps: inout Steps) {
    if let step = steps.last, step.name == name {
      steps[steps.count - 1].time += time
    } else {
      steps.append((name, time))
    }
  }

  /// Returns the status of the call, and the time of each step.
  private mutating func end(_ code: StatusCode, _ event: TraceEvent) -> String {
    let times = event.call.flatMap { calls.removeValue(forKey: $0) }
    let begin = times?.begin ?? event.time
    let time = Units.milliseconds(event.time - min(setupBegin ?? begin, begin))
    let steps = setup + (times?.steps ?? [])
    // A reflection call is canceled once all types are known: this is not a failure.
    let isDone = code == .cancelled && isReflection(event)
    if !isReflection(event) {
      setup = []
      setupBegin = nil
    }
    return "\(isDone ? "reflection finished" : code.description) after \(time)"
      + (steps.isEmpty
        ? ""
        : ": " + steps.map { "\($0.name) \(Units.milliseconds($0.time))" }.joined(separator: ", "))
  }
}

/// Writes a trace to stderr. The channel has masked the credentials in its events.
final class TraceLog: Sendable {
  private let printer = Locked(TracePrinter(start: .now))
  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  func write(_ event: TraceEvent) {
    printer.withLock { console.maskedError($0.lines(for: event)) }
  }
}
