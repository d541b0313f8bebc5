import Tripwire
import WireProtobuf

/// Compares the ETAs of each stop of a trip with the arrival there.
struct ArrivalCheck: ~Copyable {
  private struct Estimate {
    let stop: StopIdentity
    let first: Timestamp
    let firstReceived: Timestamp
    var last: Timestamp
  }

  /// How many stops are compared at most.
  private static let limit = 100

  /// The ETAs of the remaining stops.
  private var estimates: [Estimate] = []
  /// The stop of the last arrival, which the server may keep until the vehicle leaves it.
  private var reached: StopIdentity?

  /// - Parameters:
  ///   - old: the trip before; nil for the first response.
  ///   - time: when the response was received.
  mutating func receive(
    from old: Trip?, to new: Trip, at time: Timestamp
  ) -> [Finding] {
    let stops = new.remainingWaypoints.prefix(Self.limit)
    let left = stops.map(StopIdentity.init)
    var findings: [Finding] = []
    if let old, let stop = old.nextTripWaypoint {
      let identity = StopIdentity(stop)
      if identity != reached, Self.isArrival(from: old, to: new, isLeft: left.contains(identity)) {
        reached = identity
        if let estimate = estimates.first(where: { $0.stop == identity }) {
          findings.append(Self.finding(stop, estimate, at: time))
        }
      }
    }
    let id = new.tripID
    let next = new.nextTripWaypoint.map(StopIdentity.init)
    for (stop, identity) in zip(stops, left) where stop.tripId.isEmpty || stop.tripId == id {
      let isNext = identity == next
      guard let eta = isNext ? new.etaToNextWaypoint ?? stop.eta : stop.eta else { continue }
      if let index = estimates.firstIndex(where: { $0.stop == identity }) {
        estimates[index].last = eta
      } else {
        estimates.append(Estimate(stop: identity, first: eta, firstReceived: time, last: eta))
      }
    }
    estimates.removeAll { !left.contains($0.stop) }
    return findings
  }

  /// - Parameter isLeft: whether the next stop of the old trip is still a stop of the new one.
  private static func isArrival(from old: Trip, to new: Trip, isLeft: Bool) -> Bool {
    guard old.tripStatus != new.tripStatus else { return false }
    switch new.tripStatus {
    case .arrivedAtPickup, .arrivedAtIntermediateDestination, .complete: return true
    case .canceled, .new: return false
    // The client has not seen that the vehicle was there.
    default: return !isLeft
    }
  }

  private static func finding(
    _ stop: TripWaypoint, _ estimate: Estimate, at time: Timestamp
  ) -> Finding {
    let arrival = RecordingCheck.Arrival(
      stop: stop.waypointType, time: time, first: estimate.first,
      firstReceived: estimate.firstReceived, last: estimate.last)
    return Finding(
      .arrival(arrival), from: min(estimate.first, time), to: max(estimate.first, time))
  }
}
