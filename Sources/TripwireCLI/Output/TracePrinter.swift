import Tripwire
import WireIO

/// Writes what a channel does as lines for people, in the manner of curl -v: `*` for what happens,
/// `>` and `<` for what goes out and comes in, `}` and `{` for the HTTP/2 frames below.
struct TracePrinter {
  /// When the command began.
  let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  private var steps: [(name: String, time: Duration)] = []
  /// The call that asks the server for its types, the last if there were several.
  private var reflection: UInt64?

  init(start: ContinuousClock.Instant) {
    self.start = start
    last = start
  }

  /// The lines for one step, each with its line end.
  mutating func lines(for event: TraceEvent) -> String {
    lines(event).map { escaped($0) + "\n" }.joined()
  }

  private mutating func lines(_ event: TraceEvent) -> [String] {
    var said: String { "* \(event.step)" }
    switch event.step {
    case .resolving, .connecting:
      last = event.time
      return [said]
    case .resolved, .resolveFailed:
      return [said + ended("resolve", event)]
    case .connectFailed, .connected:
      return [said + ended("connect", event)]
    case .tunnelled:
      return [said + ended("proxy", event)]
    case .tls:
      return [said + ended("TLS", event)]
    case .ready:
      return [said + ended("settings", event)]
    case .requestHeaders(let headers):
      last = event.time
      if headers.contains(where: { $0.name == ":path" && $0.value.hasPrefix(Reflection.prefix) }) {
        reflection = event.call
      }
      return headers.map { "> \($0)" }
    case .requestMessage(let bytes):
      return ["> [\(Units.bytes(bytes))]"]
    case .informational(let headers), .trailers(let headers):
      return headers.map { "< \($0)" }
    case .responseHeaders(let headers):
      return headers.map { "< \($0)" } + ["* answer began" + ended("answer", event)]
    case .responseMessage(let bytes, let decompressed):
      let size =
        switch decompressed {
        case bytes: ""
        case nil: " compressed"
        case .some(let count): ", \(Units.bytes(count)) decompressed"
        }
      return ["< [\(Units.bytes(bytes))\(size)]" + ended("message", event)]
    case .frame(.sent, let text):
      return ["} " + text]
    case .frame(.received, let text):
      return ["{ " + text]
    case .finished(let code):
      // Nobody waits for the end of a reflection that has told enough.
      let isEnough = code == .cancelled && isReflection(event)
      let end = isEnough ? "reflection over" : code.description
      return ["* \(end) after \(Units.milliseconds(event.time - start))" + summary]
    case .retry(let attempt, let failure):
      let delay = Units.milliseconds(failure.delay)
      return ["* attempt \(attempt) failed: \(failure); the next in \(delay)"]
    case .goAway, .keepaliveSlowed, .transparentRetry, .notRetried, .closed:
      return [said]
    }
  }

  /// The time that it takes to ask for types is no time of the call.
  private func isReflection(_ event: TraceEvent) -> Bool {
    event.call != nil && event.call == reflection
  }

  /// " in 1.2 ms": since the step before.
  private mutating func ended(_ name: String, _ event: TraceEvent) -> String {
    let name = isReflection(event) ? "reflection" : name
    let time = event.time - last
    last = event.time
    if let step = steps.last, step.name == name {
      // The messages of a stream are one step, however many there are.
      steps[steps.count - 1].time += time
    } else {
      steps.append((name, time))
    }
    return " in \(Units.milliseconds(time))"
  }

  private var summary: String {
    steps.isEmpty
      ? ""
      : ": " + steps.map { "\($0.name) \(Units.milliseconds($0.time))" }.joined(separator: ", ")
  }
}

/// A trace that goes to stderr, step by step.
final class TraceLog: Sendable {
  private let printer = Locked(TracePrinter(start: .now))
  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  func write(_ event: TraceEvent) {
    printer.withLock { console.error($0.lines(for: event)) }
  }
}
