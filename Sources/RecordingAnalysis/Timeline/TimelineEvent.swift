package import Tripwire
package import WireProtobuf

/// A change of a resource, or of the calls about it, in a recording.
package enum TimelineEvent {
  /// The first request asks for changes: the stops and the route before are not in the recording.
  case beginsMidway
  /// The requests ask for other parts than before. A request without stamps gets the whole resource.
  case requested([VersionStamp])
  /// A response omits parts that no earlier response contains.
  case missingBase
  /// A response is older than the resource that is known.
  case outdatedResponse
  /// A response was recorded in part, or is not of the kind of the resource.
  case unreadableResponse

  /// The JSON names of all fields that a response changed. For programs only: the events after it are
  /// for people.
  case changed(fields: [String])
  /// The status of a trip, or the state of a vehicle or a task.
  case status(NamedValue, previous: NamedValue?)
  case navigation(NamedValue, previous: NamedValue?)
  case outcome(NamedValue, previous: NamedValue?, at: Timestamp?)
  /// The vehicle of a trip or a task; "" for none.
  case vehicle(id: String)
  /// The trips of a vehicle.
  case trips(ids: [String])
  /// The time window of a task.
  case window(TimeWindow?)
  /// The stops that are left.
  ///
  /// - Parameters:
  ///   - count: nil if it is unknown.
  ///   - stops: empty for a shipment.
  case stops(count: Int?, [ResourceFacts.Stop])
  case eta(ETAChange)
  case route(RoutePath, version: Timestamp?)

  /// No response for more than three times the usual interval.
  case gap(ResponseGap, latency: Duration?)
  /// The end of several consecutive gaps, of which the first was reported. `method` is that of ``ResponseGap``.
  case gaps(count: Int, total: Duration, longest: Duration, now: Duration?, method: String?)

  /// The first of consecutive calls that fail in the same way.
  case failed(StatusCode, message: String, isLocal: Bool)
  case recovered(after: Duration?, errors: Int)
  case failingAtEnd(Duration, errors: Int)

  /// The vehicle has not reported another location for this time.
  case locationStale(Duration, last: VehicleLocation?)
  case locationResumed(after: Duration)
  case locationStaleAtEnd(Duration)

  /// The end of a call of a method that does not get the resource.
  case otherCall(method: String, StatusCode, message: String, isLocal: Bool)
  case canceled(method: String)
  case unfinished(method: String)

  /// A finding that is over. The text omits the findings of some checks, because other events report the same.
  case check(RecordingCheck.Finding)
}

/// A time without a response.
package struct ResponseGap {
  package let length: Duration
  package let usual: Duration
  /// "UpdateVehicle", or another method of the vehicle of a trip; nil for that which gets the resource.
  package let method: String?
}

/// The ETA at the next stop or at the place of a task, which has changed by a minute or more.
package struct ETAChange {
  package var eta: Timestamp?
  /// The ETA at the same stop that was reported before.
  package var previous: Timestamp?
  /// Nil if the stop is unknown or not of a trip.
  package var waypointType: WaypointType?
  package var remainingMeters: Int32?

  /// In seconds; negative for an earlier ETA. Nil if one of the two is missing.
  package var delay: Int64? {
    guard let eta, let previous else { return nil }
    return eta.seconds.subtractingReportingOverflow(previous.seconds).partialValue
  }
}

/// The version of one part of a resource that a request names, to get only later changes.
package struct VersionStamp {
  /// "currentRouteSegmentVersion".
  package let field: String
  package let part: Part
  package let time: Timestamp

  package enum Part: String, CaseIterable {
    case route, traffic, stops, paths
  }
}

extension GetTripRequest {
  var versionStamps: [VersionStamp] {
    let all: [(String, VersionStamp.Part, Timestamp?)] = [
      ("currentRouteSegmentVersion", .route, currentRouteSegmentVersion),
      ("currentRouteSegmentTrafficVersion", .traffic, currentRouteSegmentTrafficVersion),
      ("remainingWaypointsVersion", .stops, remainingWaypointsVersion),
      ("remainingWaypointsRouteVersion", .paths, remainingWaypointsRouteVersion),
    ]
    return VersionStamp.present(all)
  }
}

extension GetVehicleRequest {
  var versionStamps: [VersionStamp] {
    VersionStamp.present([
      ("currentRouteSegmentVersion", .route, currentRouteSegmentVersion),
      ("waypointsVersion", .stops, waypointsVersion),
    ])
  }
}

extension VersionStamp {
  fileprivate static func present(_ all: [(String, Part, Timestamp?)]) -> [VersionStamp] {
    all.compactMap { field, part, time in
      time.map { VersionStamp(field: field, part: part, time: $0) }
    }
  }
}
