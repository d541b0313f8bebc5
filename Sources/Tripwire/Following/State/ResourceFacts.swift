package import WireProtobuf

/// The state of a resource, in a form common to all kinds. A kind leaves out what it does not have.
package struct ResourceFacts: Sendable {
  /// The next stop, or the stop of a task, by which ETAs are compared.
  package enum NextStop: Sendable, Equatable {
    case stop(StopIdentity)
    /// The next stop of a trip whose stops are unknown: its kind in the status, PICKUP, and the number of
    /// stops before it.
    case unknown(String, index: Int32)
    /// The place of a task or a shipment.
    case task
  }

  /// A stop that is left.
  package struct Stop: Sendable {
    package var identity: StopIdentity
    /// Nil for a stop of trips.
    package var state: VehicleStop.State?
    package var eta: Timestamp?
    /// The distance from the stop before, or from the vehicle.
    package var distanceMeters: Int32?
    package var position: LatLng?
  }

  package var status = NamedValue()
  package var navigation = NamedValue()
  package var outcome = NamedValue()
  package var outcomeTime: Timestamp?
  /// The category of a vehicle, or the type of a task.
  package var type = NamedValue()
  /// The number of seats.
  package var capacity: Int32?
  /// The ID of the vehicle of a trip or a task; "" if it has none.
  package var vehicleID = ""
  /// The IDs of the trips of a vehicle.
  package var tripIDs: [String] = []
  /// The tracking ID of a task.
  package var trackingID = ""
  package var window: TimeWindow?
  /// Nil for a kind without stops.
  package var stops: [Stop]?
  /// Whether stops may belong to other riders or recipients. Such stops are not shown.
  package var includesStopsOfOthers = false
  /// The number of stops that is shown.
  package var stopCount: Int32?
  package var nextStop = NextStop.task
  /// The type of the next stop of the trip itself, or of the vehicle; nil for deliveries.
  package var nextStopType: WaypointType?
  /// Whether the vehicle is at the next stop. The ETA then counts from now.
  package var isAtStop = false
  /// The time of arrival at the next stop, or at the place of a task.
  package var eta: Timestamp?
  /// The ETA by the estimate that was made when the stop was added, for use while the remaining duration is
  /// unknown. It becomes later with each response.
  package var plannedETA: Timestamp?
  /// When a task is expected to be done, or was.
  package var completionTime: Timestamp?
  package var remainingMeters: Int32?
  /// The place of a task or a shipment.
  package var place: LatLng?
  /// The route from the vehicle to the next stop, and those from stop to stop.
  package var legs: [RoutePath] = []
  package var routeVersion: Timestamp?
  /// Whether the route begins at the vehicle, and so changes with each location.
  package var routeBeginsAtVehicle = false
  /// Whether the vehicle is on the route.
  package var isOnRoute = false
  package var attributes: [NamedAttribute] = []

  package init() {}

  /// The ETA, if it is valid: that of a vehicle without stops is not.
  package var currentETA: Timestamp? { hasNoStops ? nil : eta }

  /// The ETA that is shown.
  package var shownETA: Timestamp? { currentETA ?? (hasNoStops ? nil : plannedETA) }

  /// The type of the next stop that is shown.
  package var shownStopType: WaypointType? { hasNoStops ? nil : nextStopType }

  private var hasNoStops: Bool { !includesStopsOfOthers && stops?.isEmpty == true }
}

/// A value of an enum: its name in the protocol, and its number.
package struct NamedValue: Sendable, Equatable {
  /// Nil for a number that has no name in this version of the enum.
  package let name: String?
  package let number: Int32

  /// The zero that means unset.
  package init() { (name, number) = (nil, 0) }

  package init(_ value: some ProtoEnum) { (name, number) = (value.name, value.rawValue) }

  package static func == (old: NamedValue, new: NamedValue) -> Bool { old.number == new.number }
}

extension Timestamp {
  /// Nil if the sum is out of range.
  package func adding(_ duration: WireDuration) -> Timestamp? {
    let (sum, isOverflow) = seconds.addingReportingOverflow(duration.seconds)
    return isOverflow ? nil : Timestamp(seconds: sum, nanos: nanos)
  }
}
