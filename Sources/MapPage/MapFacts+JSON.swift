import Tripwire
import WireProtobuf

extension JSONWriter {
  /// Writes the facts. Values of enums are names of the protocol, or numbers without a name.
  package mutating func members(of facts: MapFacts) {
    if let resource = facts.resource { members(of: resource, at: facts.confirmed) }
    member("updated", decimal: facts.updated)
    if facts.isStale { member("isStale", true) }
    member("delay", decimal: facts.delay)
    if let failure = facts.failure {
      object("error") { json in
        json.member("code", failure.code)
        json.member("message", failure.message)
        json.member("since", decimal: failure.since)
      }
    }
  }

  private mutating func members(of resource: FleetResource, at time: Timestamp?) {
    let facts = resource.facts(at: time)
    member("kind", resource.kind.jsonKey)
    member("status", facts.status)
    member("outcome", facts.outcome)
    member("outcomeTime", time: facts.outcomeTime)
    member("type", facts.type)
    member("capacity", facts.capacity)
    member("navigation", facts.navigation)
    strings("trips", facts.tripIDs)
    member("windowStart", time: facts.window?.startTime)
    member("windowEnd", time: facts.window?.endTime)
    member("eta", time: facts.shownETA)
    member("distance", facts.remainingMeters)
    member("stopCount", facts.stopCount)
    if facts.includesStopsOfOthers {
      member("nextStop", facts.shownStopType?.name)
    } else {
      members(of: facts.stops)
    }
    member("vehicle", ifSet: facts.vehicleID)
    member("shipment", ifSet: facts.trackingID)
    let location = resource.lastLocation
    member("locationTime", time: location?.updateTime ?? location?.serverTime)
    if resource.isFinal { member("isOver", true) }
  }

  private mutating func members(of stops: [ResourceFacts.Stop]?) {
    guard let stops else { return }
    objects("stops", stops) { json, stop in
      json.member("type", NamedValue(stop.identity.type))
      json.member("trip", ifSet: stop.identity.tripID)
      if let state = stop.state { json.member("state", NamedValue(state)) }
      json.strings("tasks", stop.identity.taskIDs)
      json.member("eta", time: stop.eta)
      json.member("distance", stop.distanceMeters)
    }
  }

  // MARK: Values

  /// Writes the value of an enum that is set.
  private mutating func member(_ key: String, _ value: NamedValue) {
    guard value.number != 0 else { return }
    member(key, value.name ?? String(value.number))
  }

  private mutating func member(_ key: String, ifSet text: String) {
    if !text.isEmpty { member(key, text) }
  }

  /// Writes a time that is known and valid.
  private mutating func member(_ name: String, time: Timestamp?) {
    guard let time, Timestamp.validSeconds.contains(time.seconds) else { return }
    member(name, decimal: time.secondsSince1970)
  }

  private mutating func strings(_ name: String, _ values: [String]) {
    if !values.isEmpty { member(name, values) }
  }
}

extension MapFacts {
  /// When the server last confirmed the resource, by the clock of the resource.
  fileprivate var confirmed: Timestamp? {
    updated.flatMap { Int64(exactly: ($0 - (delay ?? 0)).rounded()) }.map { Timestamp(seconds: $0) }
  }
}
