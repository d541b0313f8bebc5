import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire
import WireSystem

/// The recording of a client and the log of a server, which are read as one. Times of the client are changed
/// to those of the server's clock.
struct BothSides {
  let recording: LogFile
  let serverLog: ServerLog
  let types: MessageTypes

  /// Reads the recording twice: the difference of the clocks has to be known before its calls are sorted.
  func show(to view: any LogView) throws(ErrorReport) {
    var recording = recording
    recording.others = serverLog.entries()
    try recording.correctClock(types)
    try checkTimes(of: recording)
    let console = recording.console
    for text in recording.clock.changes(console) { console.warn(text) }
    if let view = view as? EvidenceView {
      view.clock = recording.clock
    } else {
      for line in recording.clock.lines(console) { console.error(line + "\n") }
    }
    try recording.show(to: view)
  }

  /// The log of another time would prove that nobody sent anything.
  private func checkTimes(of recording: LogFile) throws(ErrorReport) {
    var recording = recording
    recording.others = nil
    guard let logged = serverLog.log.period, let recorded = try recording.period(),
      !logged.overlaps(recorded)
    else { return }
    throw ErrorReport(
      local: escaped("\(recording.paths[0]) and \(serverLog.name) have no time in common"),
      hint: "pass logs of the same time")
  }
}

extension LogFile {
  /// Reads the files, and corrects their times by the difference of the client's clock from that of the server, as
  /// far as the calls show it.
  mutating func correctClock(_ types: MessageTypes) throws(ErrorReport) {
    let estimator = ClockOffsetEstimator(types)
    try readAhead { estimator.add($0) }
    clock = estimator.clock
  }

  /// Corrects the times for `view` if the clock was set during the recording. A pipe cannot be read twice.
  mutating func correctSetClock(_ types: MessageTypes, for view: EvidenceView) throws(ErrorReport) {
    guard paths.allSatisfy({ $0 != "-" && LocalFile.identity(of: $0) != nil }) else { return }
    try correctClock(types)
    guard clock.isSet else {
      clock = ClientClock()
      return
    }
    for text in clock.changes(console) { console.warn(text) }
    view.clock = clock
  }

  /// Returns the times of the first and the last entry by the clock of the server, as far as the calls show it; nil if
  /// no entry has a time.
  func period(_ types: MessageTypes) throws(ErrorReport) -> ClosedRange<Timestamp>? {
    var file = self
    try file.correctClock(types)
    return try file.period()
  }

  /// Returns the times of the first and the last entry by ``clock``; nil if no entry has a time.
  fileprivate func period() throws(ErrorReport) -> ClosedRange<Timestamp>? {
    var period: ClosedRange<Timestamp>?
    try readAhead { entry in
      guard let time = entry.value.timestamp else { return }
      period = min(period?.lowerBound ?? time, time)...max(period?.upperBound ?? time, time)
    }
    return period
  }

  /// Passes every entry to `take`. Warnings are left to the next reading.
  private func readAhead(_ take: @escaping (LoggedEntry) -> Void) throws(ErrorReport) {
    var file = self
    file.isSilent = true
    try file.show(to: EntryReader(take))
  }
}

private final class EntryReader: LogView {
  private let take: (LoggedEntry) -> Void

  init(_ take: @escaping (LoggedEntry) -> Void) {
    self.take = take
  }

  func add(_ entry: LoggedEntry) { take(entry) }
  func end(calls: Int) {}
}

extension ClientClock {
  /// "client clock: 90.01 s behind the server's clock (±3.0 ms); its times are corrected", for each part.
  func lines(_ console: Console) -> [String] {
    guard !parts.isEmpty else {
      return ["client clock: the calls do not show its difference from the server's clock"]
    }
    return parts.enumerated().map { index, part in
      "client clock: \(index > 0 ? "from \(Self.time(part.start, console)) on " : "")\(part.offset.words)"
    }
  }

  /// "the client's clock was set forward by 2 min, to 09:32:00.000", for each change.
  func changes(_ console: Console) -> [String] {
    zip(parts, parts.dropFirst()).map { before, part in
      let seconds = before.offset.seconds - part.offset.seconds
      return "the client's clock was set \(seconds < 0 ? "back" : "forward") by"
        + " \(Units.latency(seconds: seconds.magnitude)), to \(Self.time(part.start, console))"
    }
      + unmeasuredSteps.map { step in
        "the client's clock was set back, by \(Units.latency(seconds: -step.seconds)) or more, to"
          + " \(Self.time(step.time, console)); the calls do not show by how much, so the times"
          + " continue those before"
      }
  }

  /// - Parameter seconds: by the clock of the client.
  private static func time(_ seconds: Double, _ console: Console) -> String {
    DayHeadings(console.clock()).time(Timestamp(secondsSince1970: seconds))
  }
}

extension ClockOffset {
  fileprivate var words: String {
    let error = "±" + Units.latency(seconds: uncertainty)
    guard !isWithinUncertainty else { return "equal to the server's clock (\(error))" }
    return
      "\(Units.latency(seconds: seconds.magnitude)) \(seconds < 0 ? "ahead of" : "behind") the server's clock (\(error));"
      + " its times are corrected"
  }
}
