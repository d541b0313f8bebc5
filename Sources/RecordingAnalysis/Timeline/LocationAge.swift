import Tripwire
import WireProtobuf

/// How long a vehicle has not reported another location.
struct LocationAge {
  /// A longer time is reported.
  private static let limit = Duration.seconds(30)

  /// When the location last changed.
  private(set) var lastMove: Timestamp?
  /// When an event reported its age.
  private var reported: Timestamp?

  /// - Parameters:
  ///   - location: the present one.
  ///   - hasMoved: whether it has changed.
  ///   - isFinal: whether no more locations are expected.
  mutating func receive(
    _ location: VehicleLocation?, hasMoved: Bool, isFinal: Bool, at time: Timestamp?
  ) -> [TimelineEvent] {
    let age = age(at: time)
    if hasMoved {
      lastMove = time
      reported = nil
      return age.map { [.locationResumed(after: $0)] } ?? []
    }
    guard reported == nil, !isFinal, let age else { return [] }
    reported = time
    return [.locationStale(age, last: location)]
  }

  /// The event at the end of the recording.
  func end(at time: Timestamp?) -> [TimelineEvent] {
    guard let age = age(at: time), reported != time else { return [] }
    return [.locationStaleAtEnd(age)]
  }

  /// Nil if it is too short to report.
  private func age(at time: Timestamp?) -> Duration? {
    guard let age = elapsed(from: lastMove, to: time), age > Self.limit else { return nil }
    return age
  }
}
