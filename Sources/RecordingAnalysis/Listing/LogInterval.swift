package import WireProtobuf

/// The times of a recording that are wanted.
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
  ///   - until: the first time that is too late; nil for the end.
  package init(since: LogMoment?, until: LogMoment?, _ zone: LocalTime) {
    sinceMoment = since
    untilMoment = until
    self.zone = zone
  }

  /// Whether there are times that are not wanted.
  package var isGiven: Bool { sinceMoment != nil || untilMoment != nil }

  /// Tells the interval a time of the recording. The first one is when the recording begins.
  package func note(_ time: Timestamp?) { start = start ?? time }

  package func contains(_ time: Timestamp?) -> Bool {
    guard isGiven else { return true }
    guard let time else { return false }
    if let since, time < since { return false }
    if let until, time >= until { return false }
    return true
  }
}
