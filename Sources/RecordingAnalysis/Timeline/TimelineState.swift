import Tripwire
import WireProtobuf

/// The properties of a resource whose changes are events, in the form that all kinds share. A kind leaves out
/// the properties that it does not have.
struct TimelineState {
  /// The next stop, or the stop of a task, by which ETAs are compared.
  enum ETAStop: Equatable {
    case stop(StopIdentity)
    /// The next stop of a trip whose stops are unknown: its kind in the status, PICKUP, and the number of
    /// stops before it.
    case next(String, index: Int32)
    /// The place of a task or a shipment.
    case task
  }

  var status = NamedValue()
  var navigation = NamedValue()
  var outcome = NamedValue()
  var outcomeTime: Timestamp?
  var vehicleID = ""
  /// The trips of a vehicle.
  var tripIDs: [String] = []
  var window: TimeWindow?
  var stops: RemainingStops?
  var etaStop = ETAStop.task
  /// The type of the next stop; nil if it is not of a trip.
  var waypointType: WaypointType?
  var eta: Timestamp?
  /// Whether the vehicle is at the stop, so that there is no ETA.
  var isAtStop = false
  var remainingMeters: Int32?
  /// The route to the next stop. A task and a shipment have none, because theirs begins at the vehicle and so
  /// changes with each location.
  var route = RoutePath()
  var routeVersion: Timestamp?

  init() {}

  /// - Parameter time: when the resource was received. Durations count from it.
  init(_ resource: FleetResource, at time: Timestamp?) {
    switch resource {
    case .trip(let trip): read(trip)
    case .vehicle(let vehicle): read(vehicle)
    case .deliveryVehicle(let vehicle): read(vehicle, at: time)
    case .task(let task): read(task, at: time)
    case .taskTrackingInfo(let info): read(info)
    }
  }

  private mutating func read(_ trip: Trip) {
    status = NamedValue(trip.tripStatus.name, trip.tripStatus.rawValue)
    vehicleID = trip.vehicleId
    stops = .waypoints(trip.remainingWaypoints.map(StopIdentity.init))
    if let stop = trip.nextTripWaypoint ?? trip.nextWaypoint {
      etaStop = .stop(StopIdentity(stop))
    } else {
      let name = trip.tripStatus.name?.split(separator: "_").last.map(String.init) ?? ""
      etaStop = .next(name, index: trip.intermediateDestinationIndex)
    }
    waypointType = trip.nextTripWaypoint?.waypointType
    eta = trip.etaToNextWaypoint
    remainingMeters = trip.remainingDistanceOfActiveRoute
    route = trip.activeRoute
    routeVersion = trip.currentRouteSegmentVersion
  }

  private mutating func read(_ vehicle: Vehicle) {
    status = NamedValue(vehicle.vehicleState.name, vehicle.vehicleState.rawValue)
    navigation = NamedValue(vehicle.navigationStatus.name, vehicle.navigationStatus.rawValue)
    tripIDs = vehicle.currentTrips
    stops = .waypoints(vehicle.waypoints.map(StopIdentity.init))
    let next = vehicle.waypoints.first ?? vehicle.currentRouteSegmentEndPoint
    etaStop = next.map { .stop(StopIdentity($0)) } ?? .next("", index: 0)
    waypointType = next?.waypointType
    eta = vehicle.etaToFirstWaypoint
    remainingMeters = vehicle.remainingDistanceMeters
    route = RoutePath([], vehicle.currentRouteSegment)
    routeVersion = vehicle.currentRouteSegmentVersion
  }

  private mutating func read(_ vehicle: DeliveryVehicle, at time: Timestamp?) {
    navigation = NamedValue(vehicle.navigationStatus.name, vehicle.navigationStatus.rawValue)
    let segments = vehicle.remainingVehicleJourneySegments
    stops = .segments(Self.stops(of: segments))
    let next = segments.first?.stop
    etaStop = next.map { .stop(StopIdentity($0)) } ?? .next("", index: 0)
    isAtStop = next?.state == .arrived
    // The duration of the segment counts from where the stop was added.
    eta = vehicle.remainingDuration.flatMap { time?.adding($0.seconds) }
    remainingMeters = vehicle.remainingDistanceMeters
    route = RoutePath(segments.first?.path ?? [], "")
  }

  private mutating func read(_ task: DeliveryTask, at time: Timestamp?) {
    status = NamedValue(task.state.name, task.state.rawValue)
    outcome = NamedValue(task.taskOutcome.name, task.taskOutcome.rawValue)
    outcomeTime = task.taskOutcomeTime
    vehicleID = task.deliveryVehicleId
    window = task.targetTimeWindow
    let segments = task.journeySharingInfo?.remainingVehicleJourneySegments ?? []
    stops = .segments(Self.stops(of: segments))
    isAtStop = segments.count == 1 && segments.first?.stop?.state == .arrived
    if let time, case .some(.some(let arrival)) = segments.arrivals(from: time.seconds).last {
      eta = Timestamp(seconds: arrival, nanos: time.nanos)
    }
  }

  private mutating func read(_ info: TaskTrackingInfo) {
    status = NamedValue(info.state.name, info.state.rawValue)
    outcome = NamedValue(info.taskOutcome.name, info.taskOutcome.rawValue)
    outcomeTime = info.taskOutcomeTime
    window = info.targetTimeWindow
    // The response for a closed task has no number.
    if info.state != .closed { stops = .count(info.remainingStopCount) }
    eta = info.estimatedArrivalTime
    remainingMeters = info.remainingDrivingDistanceMeters
  }

  private static func stops(of segments: [VehicleJourneySegment]) -> [RemainingStops.SegmentStop] {
    segments.map { segment in
      let stop = segment.stop ?? VehicleStop()
      return RemainingStops.SegmentStop(identity: StopIdentity(stop), state: stop.state)
    }
  }

  // MARK: Changes

  /// The changes since an older state, except those of the ETA and the route.
  ///
  /// - Parameter old: nil if there is none.
  func changes(since old: TimelineState?) -> [TimelineEvent] {
    let before = old ?? TimelineState()
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
    // A resource that has never had stops has no event about them.
    if let stops, stops != before.stops, before.stops != nil || stops.count ?? 0 > 0 {
      events.append(.stops(stops))
    }
    return events
  }
}

/// A value of an enum: its name in the protocol, and its number.
package struct NamedValue: Equatable {
  /// Nil for a number that has no name in this version of the enum.
  package let name: String?
  package let number: Int32

  init(_ name: String? = nil, _ number: Int32 = 0) {
    self.name = name
    self.number = number
  }

  package static func == (old: NamedValue, new: NamedValue) -> Bool { old.number == new.number }
}

extension Timestamp {
  /// Nil if the sum is out of range.
  fileprivate func adding(_ duration: Int64) -> Timestamp? {
    let (sum, isOverflow) = seconds.addingReportingOverflow(duration)
    return isOverflow ? nil : Timestamp(seconds: sum, nanos: nanos)
  }
}
