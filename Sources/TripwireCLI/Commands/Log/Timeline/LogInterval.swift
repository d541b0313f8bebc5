import Tripwire
import WireProtobuf

/// Which times of a recording are wanted.
final class LogInterval {
  private let clock: WallClock
  private let sinceMoment: LogMoment?
  private let untilMoment: LogMoment?
  /// When the recording begins.
  private var start: Timestamp?
  private lazy var since = sinceMoment.map { $0.time(clock, ofRecordingFrom: start ?? Timestamp()) }
  private lazy var until = untilMoment.map { $0.time(clock, ofRecordingFrom: start ?? Timestamp()) }

  init(since: LogMoment?, until: LogMoment?, _ clock: WallClock) {
    sinceMoment = since
    untilMoment = until
    self.clock = clock
  }

  /// Whether there are times that are not wanted.
  var isGiven: Bool { sinceMoment != nil || untilMoment != nil }

  /// - Parameter time: the first one that is told says on which day the recording begins.
  func note(_ time: Timestamp?) { start = start ?? time }

  func contains(_ time: Timestamp?) -> Bool {
    guard isGiven else { return true }
    guard let time else { return false }
    if let since, time < since { return false }
    if let until, time >= until { return false }
    return true
  }
}
