import JourneySharing
package import Tripwire
package import WireProtobuf

/// The facts about a trip that the page shows beside the map. Times are in seconds since 1970.
package struct MapFacts: Sendable {
  package struct Failure: Sendable {
    /// "UNAVAILABLE".
    package var code: String
    package var message: String
    package var since: Double?

    package init(code: String, message: String, since: Double?) {
      self.code = code
      self.message = message
      self.since = since
    }
  }

  package var trip: Trip?
  /// When the server last confirmed the trip.
  package var updated: Double?
  /// The trip is stale when it was not confirmed for this many seconds.
  package var staleAfter: Double?
  package var failure: Failure?
  /// By how many seconds the times in the trip are earlier than they would be now: for a recording that
  /// is replayed.
  package var delay: Double?

  package init(
    _ trip: Trip?, updated: Double?, staleAfter: Double? = nil, failure: Failure? = nil
  ) {
    self.trip = trip
    self.updated = updated
    self.staleAfter = staleAfter
    self.failure = failure
  }
}

extension GeoJSONWriter {
  mutating func facts(_ facts: MapFacts) {
    object { json in
      if let trip = facts.trip { json.members(of: trip) }
      if let updated = facts.updated { json.member("updated", updated) }
      if let staleAfter = facts.staleAfter { json.member("staleAfter", staleAfter) }
      if let delay = facts.delay { json.member("delay", delay) }
      if let failure = facts.failure {
        json.member("error") { json in
          json.object { json in
            json.member("code", failure.code)
            json.member("message", failure.message)
            if let since = failure.since { json.member("since", since) }
          }
        }
      }
    }
  }

  private mutating func members(of trip: Trip) {
    member("status", trip.tripStatus.name ?? String(trip.tripStatus.rawValue))
    member("eta", trip.etaToNextWaypoint)
    if let distance = trip.remainingDistanceOfActiveRoute { member("distance", Double(distance)) }
    if let stop = trip.nextTripWaypoint?.waypointType.name { member("nextStop", stop) }
    if !trip.vehicleId.isEmpty { member("vehicle", trip.vehicleId) }
    member("locationTime", trip.lastLocation?.updateTime ?? trip.lastLocation?.serverTime)
    if trip.tripStatus.isFinal { member("isOver") { $0.bool(true) } }
  }

  /// Writes a time that is known and valid.
  private mutating func member(_ name: String, _ time: Timestamp?) {
    guard let time, Timestamp.validSeconds.contains(time.seconds) else { return }
    member(name, time.inSeconds)
  }
}

extension Timestamp {
  /// Seconds since 1970.
  package var inSeconds: Double { Double(seconds) + Double(nanos) / 1e9 }
}
