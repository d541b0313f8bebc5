import CommandLine
import WireGRPCClient
import WireSystem

/// Formats the trace events of a channel as lines, like curl -v: `*` for events, `>` and `<` for sent and
/// received headers and messages, `}` and `{` for sent and received HTTP/2 frames. From the second call
/// on, the lines of a call begin with its number and method.
struct TracePrinter {
  private let showsFrames: Bool
  private var firstCall: UInt64?
  private var hasSeveralCalls = false

  /// - Parameter showsFrames: whether HTTP/2 frames have lines.
  init(showsFrames: Bool) {
    self.showsFrames = showsFrames
  }

  /// Returns the lines for one step, each with its line end.
  ///
  /// - Parameter note: the times that the event ends.
  mutating func lines(for event: TraceEvent, _ note: TraceTimes.Note) -> String {
    if let call = event.call {
      firstCall = firstCall ?? call
      hasSeveralCalls = hasSeveralCalls || call != firstCall
    }
    let label = hasSeveralCalls ? event.label : ""
    return lines(event, note).map { escaped(label + $0) + "\n" }.joined()
  }

  private func lines(_ event: TraceEvent, _ note: TraceTimes.Note) -> [String] {
    let elapsed = note.elapsed.map(Units.milliseconds)
    let time = elapsed.map { " in " + $0 } ?? ""
    switch event.step {
    case .resolved, .connected, .tunneled, .tls, .ready:
      return event.lines.map { $0 + time }
    case .resolveFailed, .connectFailed:
      return event.lines.map { $0 + (elapsed.map { " after " + $0 } ?? "") }
    case .requestMessage(let bytes):
      return ["> [\(Units.bytes(bytes))]"]
    case .responseHeaders:
      return event.lines + ["* response started" + time]
    case .responseMessage(let bytes, let decompressed):
      let size =
        switch decompressed {
        case bytes: ""
        case nil: " compressed"
        case .some(let count): ", \(Units.bytes(count)) decompressed"
        }
      return ["< [\(Units.bytes(bytes))\(size)]" + time]
    case .finished:
      return note.finished.map { ["* \(Self.text($0))"] } ?? []
    case .retry(let attempt, let failure):
      let delay = Units.milliseconds(failure.delay)
      return ["* attempt \(attempt) failed: \(failure); retry in \(delay)"]
    case .frame:
      return showsFrames ? event.lines : []
    case .resolving, .connecting, .requestHeaders, .informational, .trailers, .goAway,
      .keepaliveSlowed, .transparentRetry, .notRetried, .closed:
      return event.lines
    }
  }

  /// Returns the status of a call, and the time of each step.
  private static func text(_ timing: CallTiming) -> String {
    // A reflection call is canceled once all types are known: this is not a failure.
    let isDone = timing.code == .cancelled && timing.isReflection
    let steps = timing.steps.map { "\($0.name) \(Units.milliseconds($0.time))" }
    return "\(isDone ? "reflection finished" : timing.code.description)"
      + " after \(Units.milliseconds(timing.total))"
      + (steps.isEmpty ? "" : ": " + steps.joined(separator: ", "))
  }
}

/// Writes a trace, or only the times of calls, to stderr. The channel has masked the credentials in its
/// events.
final class TraceLog: Sendable {
  /// The printer is nil without -v.
  private let state: Locked<(times: TraceTimes, printer: TracePrinter?)>
  private let showsTiming: Bool
  private let console: Console

  /// Nil if the options ask for neither.
  init?(_ options: OutputOptions, _ console: Console) {
    guard options.isVerbose || options.showsTiming else { return nil }
    let printer = TracePrinter(showsFrames: options.verbosity > 1)
    state = Locked((TraceTimes(start: .now), options.isVerbose ? printer : nil))
    showsTiming = options.showsTiming
    self.console = console
  }

  func write(_ event: TraceEvent) {
    state.withLock { state in
      let note = state.times.note(event)
      if let lines = state.printer?.lines(for: event, note), !lines.isEmpty {
        console.maskedError(lines)
      }
      if showsTiming, let timing = note.finished { console.maskedError(timing.jsonLine) }
    }
  }
}
