package import Tripwire
package import WireProtobuf

/// The states of a resource, as one observer got them.
package struct ObserverStates {
  struct State {
    /// In seconds since 1970.
    var time: Double
    var status: NamedValue
    var location: LocationReport?
    /// In seconds since 1970.
    var eta: Double?
    var stopCount: Int32?
  }

  private(set) var states: [State] = []
  /// When the observer's log ends, in seconds since 1970.
  package var end = 0.0

  package init() {}

  /// Adds the state of the resource after an event.
  package mutating func add(_ resource: FleetResource, at time: Timestamp) {
    let facts = resource.facts(at: time)
    let state = State(
      time: time.secondsSince1970, status: facts.status,
      location: resource.lastLocation.map(LocationReport.init),
      // At a stop and for a planned ETA, each observer counts from the time of its response.
      eta: facts.isAtStop ? nil : facts.currentETA?.secondsSince1970,
      stopCount: facts.stops.map { Int32(clamping: $0.count) } ?? facts.stopCount)
    // Events of one call have the same time.
    if states.last?.time == state.time { states.removeLast() }
    states.append(state)
    end = max(end, state.time)
  }

  /// The usual time between two locations, in seconds.
  var usualInterval: Double {
    var times: [Double] = []
    var last: LocationReport?
    for state in states {
      guard let location = state.location, last.map({ !$0.isSame(as: location) }) ?? true else {
        continue
      }
      times.append(state.time)
      last = location
    }
    return RecordingAnalysis.usualInterval(times)
  }
}
