import Tripwire

/// Why the server kept an earlier location.
package enum DiscardReason: Equatable {
  /// Too fast from the last accepted location. `seconds` is the time between the two measurements.
  case jump(meters: Double, seconds: Double)
  /// Measured before the last accepted location, by this many seconds.
  case older(seconds: Double)
  /// No latitude and longitude, or one that is not on the globe.
  case noPlace
  case unknown
}

/// An update of the vehicle, compared with the location that the server then had.
package struct SentLocation {
  package enum Result: Equatable {
    case accepted
    /// The server has the location of this measurement at another place. The distance is in meters.
    case changed(meters: Double)
    case discarded(DiscardReason)
    case failed
    /// The response has no location.
    case unknown
  }

  /// The errors of a measurement and of its place on the road, in meters.
  private static let tolerance = 100.0

  package let update: TripEvidence.Update
  package let result: Result
  /// From the sent to the accepted place, in meters.
  package let meters: Double?

  /// The location as the server has it, or as it was sent if the server does not have it.
  package var location: LocationReport {
    isAccepted ? update.accepted ?? update.sent : update.sent
  }

  /// Whether the server has the location, as far as is known.
  package var isAccepted: Bool {
    switch result {
    case .accepted, .changed, .unknown: true
    case .discarded, .failed: false
    }
  }

  /// Compares the updates of one vehicle, in the order of their times.
  package static func all(_ updates: [TripEvidence.Update]) -> [SentLocation] {
    var last: LocationReport?
    return updates.map { update in
      let result = result(of: update, after: last)
      switch result {
      case .accepted, .changed: last = update.accepted ?? update.sent
      default: break
      }
      let places = (update.sent.place, update.accepted?.place)
      let meters: Double? =
        if case (let sent?, let accepted?) = places { distance(sent, accepted) } else { nil }
      return SentLocation(update: update, result: result, meters: meters)
    }
  }

  private static func result(
    of update: TripEvidence.Update, after last: LocationReport?
  ) -> Result {
    if update.outcome.code?.named != .ok { return .failed }
    guard let accepted = update.accepted else { return .unknown }
    let sent = update.sent
    let isSameTime = sent.hasTime(of: accepted)
    guard let place = sent.place else { return .discarded(.noPlace) }
    guard let acceptedPlace = accepted.place else { return .unknown }
    let meters = distance(place, acceptedPlace)
    if isSameTime ?? (meters <= tolerance) {
      return meters <= tolerance ? .accepted : .changed(meters: meters)
    }
    return .discarded(last.map { reason(sent, place, after: $0) } ?? .unknown)
  }

  private static func reason(
    _ sent: LocationReport, _ place: LatLng, after last: LocationReport
  ) -> DiscardReason {
    guard let time = sent.measuredTime, let lastTime = last.measuredTime,
      let lastPlace = last.place
    else { return .unknown }
    let seconds = time.secondsSince1970 - lastTime.secondsSince1970
    if seconds < 0 { return .older(seconds: -seconds) }
    let meters = distance(lastPlace, place)
    return LocationChecks.isJump(meters: meters, seconds: seconds)
      ? .jump(meters: meters, seconds: seconds) : .unknown
  }
}
