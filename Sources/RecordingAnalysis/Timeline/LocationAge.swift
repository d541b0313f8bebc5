import Tripwire
import WireProtobuf

/// How long a trip's vehicle has not reported another location.
struct LocationAge {
  /// A longer time is reported.
  private static let limit = Duration.seconds(30)

  /// When the location last changed.
  private(set) var lastMove: Timestamp?
  /// When an event reported its age.
  private var reported: Timestamp?

  /// - Parameter hasMoved: whether the location has changed.
  mutating func receive(_ trip: Trip, hasMoved: Bool, at time: Timestamp?) -> [TripEvent] {
    let age = age(at: time)
    if hasMoved {
      lastMove = time
      reported = nil
      return age.map { [.locationResumed(after: $0)] } ?? []
    }
    guard reported == nil, !trip.tripStatus.isFinal, let age else { return [] }
    reported = time
    return [.locationStale(age, last: trip.lastLocation)]
  }

  /// The event at the end of the recording.
  func end(at time: Timestamp?) -> [TripEvent] {
    guard let age = age(at: time), reported != time else { return [] }
    return [.locationStaleAtEnd(age)]
  }

  /// Nil if it is too short to report.
  private func age(at time: Timestamp?) -> Duration? {
    guard let lastMove, let time, let age = elapsed(from: lastMove, to: time) else { return nil }
    return age > Self.limit ? age : nil
  }
}
