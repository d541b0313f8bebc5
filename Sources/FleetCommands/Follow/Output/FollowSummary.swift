import CommandResources
import CommandShell
import Tripwire

/// The facts of a followed resource in one line.
struct FollowSummary {
  let status: String?
  /// The time of arrival at the next stop, or at the place of a task.
  let eta: String?
  /// The distance left.
  let distance: String?
  /// The next stop, or the number of stops: "to Pickup", "3 stops left".
  let stop: String?

  init(_ resource: FleetResource, _ formatter: TripFormatter) {
    switch resource {
    case .trip(let trip):
      status = formatter.words(trip.tripStatus)
      eta = formatter.time(trip.etaToNextWaypoint)
      distance = formatter.distance(trip.remainingDistanceOfActiveRoute)
      stop = trip.nextTripWaypoint.flatMap(formatter.kind).map { "to " + $0 }
    case .vehicle(let vehicle):
      status = formatter.words(vehicle.vehicleState)
      eta = formatter.time(vehicle.etaToFirstWaypoint)
      distance = formatter.distance(vehicle.remainingDistanceMeters)
      stop = vehicle.waypoints.first.flatMap(formatter.kind).map { "to " + $0 }
    case .deliveryVehicle(let vehicle):
      status = formatter.words(vehicle.navigationStatus)
      let stops = vehicle.remainingVehicleJourneySegments
      eta = stops.arrivals(
        from: formatter.clock.now, remaining: vehicle.remainingDuration
      ).first.flatMap { $0 }.map {
        formatter.clock.text($0)
      }
      distance = formatter.distance(vehicle.remainingDistanceMeters)
      stop = Self.left(Int32(clamping: stops.count))
    case .task(let task):
      status = Self.status(
        formatter.words(task.state),
        formatter.words(task.taskOutcome))
      let stops = task.journeySharingInfo?.remainingVehicleJourneySegments ?? []
      // The last stop is that of the task.
      eta = stops.arrivals(from: formatter.clock.now).last.flatMap { $0 }.map {
        formatter.clock.text($0)
      }
      distance = nil
      stop = Self.left(task.journeySharingInfo.map { _ in Int32(clamping: stops.count) })
    case .taskTrackingInfo(let info):
      status = Self.status(
        formatter.words(info.state),
        formatter.words(info.taskOutcome))
      eta = formatter.time(info.estimatedArrivalTime)
      distance = formatter.distance(info.remainingDrivingDistanceMeters)
      stop = Self.left(info.remainingStopCount)
    }
  }

  private static func left(_ count: Int32?) -> String? {
    count.map { Units.count(Int($0), "stop") + " left" }
  }

  private static func status(_ state: String?, _ outcome: String?) -> String? {
    guard let state, let outcome else { return state ?? outcome }
    return "\(state), \(outcome)"
  }
}

extension TripFormatter {
  func kind(_ stop: TripWaypoint) -> String? {
    words(stop.waypointType)
  }
}
