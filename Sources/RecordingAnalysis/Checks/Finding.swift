package import Tripwire
package import WireProtobuf

package typealias Finding = RecordingCheck.Finding

extension RecordingCheck {
  package struct Finding {
    /// When it begins: by the clock of the recording, except for arrivals.
    package var time: Timestamp
    /// When it ends; `time` if it has no duration.
    package var until: Timestamp
    package var detail: Detail

    init(_ detail: Detail, from start: Timestamp, to end: Timestamp) {
      (self.detail, time, until) = (detail, start, end)
    }

    package var check: RecordingCheck { detail.check }

    /// From `time` to `until`.
    package var duration: Duration { elapsed(from: time, to: until) ?? .zero }
  }

  /// The values of a finding. Distances are in meters.
  package enum Detail {
    case gap(ResponseGap)
    case stale
    /// `seconds` is 0 when both locations have the same time.
    case jump(meters: Double, seconds: Double)
    case backwards(TimeSource, by: Duration)
    case dwell(at: LatLng)
    case arrival(Arrival)
    case clock(ClockDifference, Duration)
    case inaccurate(worst: Double, LocationSensor)
    case sensor(LocationSensor, previous: LocationSensor)
    /// `isOtherStop`: whether the next stop changed, too.
    case route(meters: Double, previous: Double, isOtherStop: Bool)
    /// Consecutive errors, described by the first.
    case errors(count: Int, StatusCode, message: String, isLocal: Bool)
    /// A failed call of a method that does not get the resource.
    case otherCall(method: String, StatusCode, message: String, isLocal: Bool)

    var check: RecordingCheck {
      switch self {
      case .gap: .gap
      case .stale: .stale
      case .jump: .jump
      case .backwards: .time
      case .dwell: .dwell
      case .arrival: .eta
      case .clock: .clock
      case .inaccurate, .sensor: .accuracy
      case .route: .route
      case .errors, .otherCall: .error
      }
    }
  }

  /// A time that can only advance.
  package enum TimeSource {
    /// The time of the recording.
    case client
    /// The time of the vehicle's location.
    case vehicle
    /// When the server received the location.
    case server
  }

  package enum ClockDifference {
    case clientAhead, clientBehind
    case vehicleAhead
    /// The location was old when the server received it, or the vehicle's clock is behind.
    case vehicleBehind
  }

  /// The arrival at a stop, by the first response that reports it.
  package struct Arrival {
    package var stop: WaypointType
    package var time: Timestamp
    /// The first ETA of this stop, and when it was received.
    package var first: Timestamp
    package var firstReceived: Timestamp
    /// The last ETA before the arrival.
    package var last: Timestamp

    /// Negative when the vehicle was early.
    package var delay: Duration { difference(from: first, to: time) }
    /// The same for the last ETA.
    package var lastDelay: Duration { difference(from: last, to: time) }
  }
}

/// The time from one to the other, also if that is negative.
func difference(from start: Timestamp, to end: Timestamp) -> Duration {
  elapsed(from: start, to: end) ?? .zero - (elapsed(from: end, to: start) ?? .zero)
}
