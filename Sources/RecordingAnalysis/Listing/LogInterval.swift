import WireProtobuf

/// An interval of the time of a recording.
package final class LogInterval {
  private let zone: LocalTime
  private let sinceMoment: LogMoment?
  private let untilMoment: LogMoment?
  /// When the recording begins.
  private var start: Timestamp?
  private lazy var since = sinceMoment.map { $0.time(zone, ofRecordingFrom: start ?? Timestamp()) }
  private lazy var until = untilMoment.map { $0.time(zone, ofRecordingFrom: start ?? Timestamp()) }

  /// - Parameters:
  ///   - since: the first time; nil for the beginning.
  ///   - until: the end, which is not included; nil for the end of the recording.
  package init(since: LogMoment?, until: LogMoment?, _ zone: LocalTime) {
    sinceMoment = since
    untilMoment = until
    self.zone = zone
  }

  /// The whole time of a recording.
  package convenience init() {
    self.init(since: nil, until: nil, LocalTime(now: 0) { _ in 0 })
  }

  /// Whether the interval is limited.
  package var isGiven: Bool { sinceMoment != nil || untilMoment != nil }

  /// Registers a time of the recording. The first one is the start of the recording.
  func note(_ time: Timestamp?) { start = start ?? time }

  func contains(_ time: Timestamp?) -> Bool {
    guard isGiven else { return true }
    guard let time else { return false }
    if let since, time < since { return false }
    if let until, time >= until { return false }
    return true
  }
}
