import Recording
import Tripwire
import WireProtobuf

/// The states of a resource, as one observer got them.
package final class ObserverStates {
  struct State {
    /// In seconds since 1970.
    var time: Double
    var status: NamedValue
    var location: VehicleLocation?
    /// In seconds since 1970.
    var eta: Double?
    var stopCount: Int32?
  }

  package let timeline: ResourceTimeline
  private(set) var states: [State] = []
  private var lastTime = 0.0
  package var isEmpty: Bool { range == nil }
  /// When the observer had the resource first and last, in seconds since 1970.
  private(set) var range: ClosedRange<Double>?

  package init(_ types: MessageTypes, of wanted: ResourceSelector) {
    timeline = ResourceTimeline(types, of: wanted)
  }

  package func add(_ entry: LoggedEntry) {
    let items = timeline.add(entry)
    let time = entry.value.timestamp?.secondsSince1970 ?? lastTime
    lastTime = time
    guard let key = timeline.resources.first else { return }
    range = min(range?.lowerBound ?? time, time)...max(range?.upperBound ?? time, time)
    guard items.contains(where: { $0.resource == key }), let resource = timeline.merged(key) else {
      return
    }
    let facts = resource.facts(at: entry.value.timestamp)
    let state = State(
      time: time, status: facts.status, location: resource.lastLocation,
      eta: facts.shownETA?.secondsSince1970,
      stopCount: facts.stops.map { Int32(clamping: $0.count) } ?? facts.stopCount)
    // Events of one call have the same time.
    if states.last?.time == time { states.removeLast() }
    states.append(state)
  }

  /// The usual time between two locations, in seconds.
  var usualInterval: Double {
    var times: [Double] = []
    var last: VehicleLocation?
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
