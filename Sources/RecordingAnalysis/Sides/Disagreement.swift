import Tripwire

/// A time in which two observers of a resource had different values of it. Times are in seconds since 1970.
package struct Disagreement: Equatable {
  package enum Aspect: String, CaseIterable {
    case status, location, eta, stops
  }

  package enum Observer: Int {
    case first, second
  }

  package let aspect: Aspect
  package let start: Double
  package fileprivate(set) var end: Double
  /// The values at the start: names of statuses, numbers of stops.
  package let values: [String]
  /// The largest difference: meters between two places, seconds between two ETAs; 0 if only one of them has a place.
  package fileprivate(set) var largest: Double
  /// The observer that got the value of the other one later; nil if that is unknown.
  package fileprivate(set) var behind: Observer?

  package var seconds: Double { end - start }

  /// Places closer than this are equal, in meters.
  private static let nearby = 30.0
  /// ETAs closer than this are equal, in seconds.
  private static let etaTolerance = 60.0

  /// Compares two observers while both had the resource. Differences up to three usual intervals of their
  /// locations are left out, because the two do not ask at the same moments.
  ///
  /// - Returns: nil if there is no such time.
  package static func all(_ first: ObserverStates, _ second: ObserverStates) -> [Disagreement]? {
    guard let one = first.states.first, let other = second.states.first else { return nil }
    let start = max(one.time, other.time)
    let end = min(first.end, second.end)
    guard start <= end else { return nil }
    let shortest = 3 * max(first.usualInterval, second.usualInterval)
    var cursors = (Cursor(first.states), Cursor(second.states))
    var open: [Aspect: Disagreement] = [:]
    var all: [Disagreement] = []
    let changes =
      (first.states.map { ($0.time, Observer.first) }
      + second.states.map { ($0.time, .second) })
      .filter { $0.0 <= end }.sorted { $0.0 < $1.0 }
    for (time, observer) in changes {
      guard let a = cursors.0.state(at: time), let b = cursors.1.state(at: time) else { continue }
      for aspect in Aspect.allCases {
        let difference = difference(of: aspect, a, b)
        if let difference {
          open[
            aspect,
            default: Disagreement(
              aspect: aspect, start: max(start, time), end: end, values: values(of: aspect, a, b),
              largest: 0, behind: older(aspect, a, b))
          ].largest.grow(to: difference)
        } else if var ended = open.removeValue(forKey: aspect) {
          ended.end = time
          // The observer whose change ended it got the value of the other one.
          ended.behind = ended.behind ?? observer
          all.append(ended)
        }
      }
    }
    return (all + open.values).filter { $0.seconds > shortest }.sorted {
      ($0.start, $0.aspect.rawValue) < ($1.start, $1.aspect.rawValue)
    }
  }

  /// Nil if the two are equal.
  private static func difference(
    of aspect: Aspect, _ a: ObserverStates.State, _ b: ObserverStates.State
  ) -> Double? {
    switch aspect {
    case .status: return a.status == b.status ? nil : 1
    case .stops: return a.stopCount == b.stopCount ? nil : 1
    case .eta:
      guard let one = a.eta, let other = b.eta else { return nil }
      let seconds = (one - other).magnitude
      return seconds < etaTolerance ? nil : seconds
    case .location:
      guard let one = a.location?.place, let other = b.location?.place else {
        return a.location?.place == b.location?.place ? nil : 0
      }
      let meters = distance(one, other)
      return meters <= nearby ? nil : meters
    }
  }

  private static func values(
    of aspect: Aspect, _ a: ObserverStates.State, _ b: ObserverStates.State
  ) -> [String] {
    switch aspect {
    case .status: [a, b].map { $0.status.name ?? String($0.status.number) }
    case .stops: [a, b].map { $0.stopCount.map { String($0) } ?? "unknown" }
    case .eta, .location: []
    }
  }

  /// The observer without a location, or with the one that the vehicle measured earlier.
  private static func older(
    _ aspect: Aspect, _ a: ObserverStates.State, _ b: ObserverStates.State
  ) -> Observer? {
    guard aspect == .location else { return nil }
    if a.location?.place == nil { return .first }
    if b.location?.place == nil { return .second }
    guard let one = a.location?.measuredTime, let other = b.location?.measuredTime, one != other
    else { return nil }
    return one < other ? .first : .second
  }
}

/// The states in the order of their times.
private struct Cursor {
  private var states: ArraySlice<ObserverStates.State>
  private var last: ObserverStates.State?

  init(_ states: [ObserverStates.State]) {
    self.states = states[...]
  }

  mutating func state(at time: Double) -> ObserverStates.State? {
    while let next = states.first, next.time <= time {
      last = next
      states.removeFirst()
    }
    return last
  }
}

extension Double {
  fileprivate mutating func grow(to other: Double) { self = max(self, other) }
}
