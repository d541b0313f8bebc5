import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire

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
    let offset = try recording.correctClock(types)
    if !view.show(offset) { recording.console.error((offset?.text ?? ClockOffset.unknown) + "\n") }
    try recording.show(to: view)
  }
}

extension LogFile {
  /// Reads the files, and corrects their times by the difference of the client's clock from that of the server.
  ///
  /// - Returns: the difference; nil if the calls do not show it.
  mutating func correctClock(_ types: MessageTypes) throws(ErrorReport) -> ClockOffset? {
    let estimator = ClockOffsetEstimator(types)
    try readAhead { estimator.add($0) }
    let offset = estimator.offset
    shift = offset?.correction ?? 0
    return offset
  }

  /// Returns the times of the first and the last entry; nil if no entry has a time.
  func period() throws(ErrorReport) -> ClosedRange<Timestamp>? {
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

extension ClockOffset {
  static let unknown = "client clock: the calls do not show its difference from the server's clock"

  /// "client clock: 90.01 s behind the server's clock (±3.0 ms); its times are corrected".
  var text: String {
    let error = "±" + Units.latency(.seconds(uncertainty))
    guard !isWithinUncertainty else {
      return "client clock: equal to the server's clock (\(error))"
    }
    let amount = Units.trimmed(Units.fixed(seconds.magnitude, decimals: 2)) + " s"
    return
      "client clock: \(amount) \(seconds < 0 ? "ahead of" : "behind") the server's clock (\(error));"
      + " its times are corrected"
  }
}
