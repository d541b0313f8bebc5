import Tripwire

extension ResourceFacts {
  /// The changes since older facts, except those of the ETA and the route.
  ///
  /// - Parameters:
  ///   - old: nil if there are none.
  ///   - isFinal: whether the resource is in its last state.
  func changes(since old: ResourceFacts?, isFinal: Bool) -> [TimelineEvent] {
    let before = old ?? ResourceFacts()
    var events: [TimelineEvent] = []
    if status != before.status { events.append(.status(status, previous: old?.status)) }
    if navigation != before.navigation {
      events.append(.navigation(navigation, previous: old?.navigation))
    }
    if outcome != before.outcome {
      events.append(.outcome(outcome, previous: old?.outcome, at: outcomeTime))
    }
    if vehicleID != before.vehicleID { events.append(.vehicle(id: vehicleID)) }
    if tripIDs != before.tripIDs { events.append(.trips(ids: tripIDs)) }
    if window != before.window { events.append(.window(window)) }
    if hasOtherStops(than: old, isFinal: isFinal) {
      events.append(.stops(count: numberOfStops, stops ?? []))
    }
    return events
  }

  /// The route to the next stop; empty if it begins at the vehicle.
  var stableRoute: RoutePath { routeBeginsAtVehicle ? RoutePath() : legs.first ?? RoutePath() }

  /// The number of remaining stops; nil if the recipient may not see it.
  private var numberOfStops: Int? { stops?.count ?? stopCount.map(Int.init) }

  private func hasOtherStops(than old: ResourceFacts?, isFinal: Bool) -> Bool {
    // No event for a resource that has never had stops.
    guard let old else { return numberOfStops ?? 0 > 0 }
    guard let stops, let before = old.stops else {
      // The response for a closed task has no number.
      return !isFinal && numberOfStops != old.numberOfStops
    }
    return !stops.elementsEqual(before) { $0.identity == $1.identity && $0.state == $1.state }
  }
}
