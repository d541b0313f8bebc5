/// A part of a trip in which the app showed the vehicle in one way. The spans of a trip have no gaps between
/// them and do not overlap. Times are in seconds since 1970.
package struct TripSpan: Equatable {
  package enum State: Equatable {
    /// The client had not begun, or had ended.
    case unwatched
    /// The app had no location yet.
    case waiting
    /// The app got new locations.
    case current
    /// The app got new locations, all at the same place.
    case still
    /// The app got no new location for more than three intervals.
    case stale(StaleCause)
  }

  package var start: Double
  package var end: Double
  package var state: State

  package var seconds: Double { end - start }
  package var cause: StaleCause? {
    if case .stale(let cause) = state { cause } else { nil }
  }

  /// "stale".
  package var stateName: String {
    switch state {
    case .unwatched: "unwatched"
    case .waiting: "waiting"
    case .current: "current"
    case .still: "still"
    case .stale: "stale"
    }
  }
}
