import Synchronization
import Tripwire
import WireGRPC

/// Writes what a channel does as lines for people, in the manner of curl -v: `*` for what happens,
/// `>` and `<` for what goes out and comes in, `}` and `{` for the HTTP/2 frames below.
struct TracePrinter {
  /// When the command began.
  let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  private var steps: [(name: String, time: Duration)] = []

  init(start: ContinuousClock.Instant) {
    self.start = start
    last = start
  }

  /// The lines for one step, each with its line end.
  mutating func lines(for event: TraceEvent) -> String {
    lines(event).map { escaped($0) + "\n" }.joined()
  }

  private mutating func lines(_ event: TraceEvent) -> [String] {
    switch event.step {
    case .resolving(let host):
      last = event.time
      return ["* resolve \(host)"]
    case .resolved(_, let addresses):
      return ["* resolved to \(addresses.joined(separator: ", "))" + ended("resolve", event)]
    case .resolveFailed(let host, let reason):
      return ["* cannot resolve \(host) now: \(reason)" + ended("resolve", event)]
    case .connecting(let address):
      last = event.time
      return ["* connect to \(address)"]
    case .connectFailed(let address, let reason):
      return ["* cannot connect to \(address): \(reason)" + ended("connect", event)]
    case .connected(let address):
      return ["* connected to \(address)" + ended("connect", event)]
    case .tunnelled(let target):
      return ["* the proxy opened the way to \(target)" + ended("proxy", event)]
    case .tls(let version, let cipher, let alpn, let peer, let isResumed):
      let protocolName = alpn.isEmpty ? "" : ", ALPN \(alpn)"
      let resumed = isResumed ? ", resumed" : ""
      return [
        "* \(version), \(cipher)\(protocolName), peer \(peer)\(resumed)" + ended("TLS", event)
      ]
    case .ready(let address, let calls):
      let limit = calls >= Int(Int32.max) ? "any number of" : "up to \(calls)"
      let time = ended("settings", event)
      return ["* HTTP/2 ready at \(address)\(time), \(limit) calls at once"]
    case .requestHeaders(let headers):
      last = event.time
      return headers.map { "> " + Self.line($0) }
    case .requestMessage(let bytes):
      return ["> [\(Units.bytes(bytes))]"]
    case .informational(let headers):
      return headers.map { "< " + Self.line($0) }
    case .responseHeaders(let headers):
      return headers.map { "< " + Self.line($0) } + ["* answer began" + ended("answer", event)]
    case .responseMessage(let bytes, let decompressed):
      let size =
        switch decompressed {
        case bytes: ""
        case nil: " compressed"
        case .some(let count): ", \(Units.bytes(count)) decompressed"
        }
      return ["< [\(Units.bytes(bytes))\(size)]" + ended("message", event)]
    case .trailers(let headers):
      return headers.map { "< " + Self.line($0) }
    case .frame(.sent, let text):
      return ["} " + text]
    case .frame(.received, let text):
      return ["{ " + text]
    case .goAway(let stream, let code, let data):
      return ["* the server says go away: last stream \(stream), error \(code)\(Self.quoted(data))"]
    case .keepaliveSlowed(let time):
      return ["* WARNING: the server was pinged too often; from now on after \(time) of silence"]
    case .transparentRetry(let reason):
      return ["* again on another connection: \(reason)"]
    case .retry(let attempt, let failure):
      let delay = Units.milliseconds(failure.delay)
      return ["* attempt \(attempt) failed: \(failure); the next in \(delay)"]
    case .notRetried(let reason):
      return ["* not tried again: \(reason)"]
    case .finished(let code):
      return ["* \(code) after \(Units.milliseconds(event.time - start))" + summary]
    case .closed(let reason):
      return ["* closed: \(reason)"]
    }
  }

  /// " in 1.2 ms": since the step before.
  private mutating func ended(_ name: String, _ event: TraceEvent) -> String {
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

  /// The channel has redacted already; a second look costs nothing.
  private static func line(_ header: TraceEvent.Header) -> String {
    "\(header.name): \(MetadataRules.shown(header.value, of: header.name))"
  }

  private static func quoted(_ data: String) -> String { data.isEmpty ? "" : " \"\(data)\"" }
}

/// A trace that goes to stderr, step by step.
final class TraceLog: Sendable {
  private let printer = Mutex(TracePrinter(start: .now))
  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  func write(_ event: TraceEvent) {
    printer.withLock { console.error($0.lines(for: event)) }
  }
}
