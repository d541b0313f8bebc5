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

  private let timeline: ResourceTimeline
  private(set) var states: [State] = []
  private var lastTime = 0.0
  package var isEmpty: Bool { range == nil }
  /// When the observer had the resource first and last, in seconds since 1970.
  private(set) var range: ClosedRange<Double>?

  package init(_ types: MessageTypes, of wanted: ResourceSelector) {
    timeline = ResourceTimeline(
      types, of: wanted, in: LogInterval(since: nil, until: nil, LocalTime(now: 0) { _ in 0 }))
  }

  /// The first resources of the recording that could be wanted, while it has no call about the wanted one.
  package var otherNames: [String] { timeline.otherNames }
  package var hasTruncatedMessage: Bool { timeline.hasTruncatedMessage }

  /// - Parameter shift: what to add to the time of the entry, in seconds.
  package func add(_ entry: LoggedEntry, shift: Double = 0) {
    let items = timeline.add(entry)
    let time = entry.value.timestamp.map { $0.secondsSince1970 + shift } ?? lastTime
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

  /// The median of the times between two locations, in seconds; 5 s if there are fewer than three.
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
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    return intervals.count < 3 ? 5 : intervals[intervals.count / 2]
  }

}
