import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// A delivery vehicle as the provider and the driver's app have set it.
struct StoredDeliveryVehicle: Sendable, Equatable {
  /// With each segment of its journey as it was when its stop was added.
  private(set) var vehicle: DeliveryVehicle
  /// When the driver's app last reported the route or what remains of it.
  private(set) var routeReported: Timestamp?
  /// When the vehicle arrived at its first stop; nil if it is not there.
  private(set) var arrived: Timestamp?

  init(_ vehicle: DeliveryVehicle) { self.vehicle = vehicle }

  /// The IDs of the tasks of its stops.
  var taskIDs: [String] {
    vehicle.remainingVehicleJourneySegments.flatMap { $0.stop?.tasks.map(\.taskId) ?? [] }
  }

  /// The route that the driver's app reported; nil if there is none, or one that does not end at the first stop.
  var route: [LatLng]? {
    guard !vehicle.currentRouteSegment.isEmpty,
      let stop = vehicle.remainingVehicleJourneySegments.first?.stop?.place,
      let points = try? Polyline.decode(vehicle.routeText),
      let end = vehicle.currentRouteSegmentEndPoint ?? points.last,
      end.meters(to: stop) <= Self.nearStop
    else { return nil }
    return points
  }

  /// The largest distance in meters of the end of a route to the stop where it leads.
  private static let nearStop = 100.0

  /// The vehicle in a response.
  func answer(at now: Timestamp) -> DeliveryVehicle {
    var vehicle = vehicle
    vehicle.lastLocation = vehicle.lastLocation?.answered(at: now)
    return vehicle
  }

  /// Replaces fields by those of a valid request, except the journey.
  mutating func replaceFields(from given: DeliveryVehicle, _ mask: FieldMask, at now: Timestamp) {
    let fields = mask.topLevelFields
    vehicle.replaceFields(from: given, mask)
    vehicle.attributes = vehicle.attributes.map(\.completed)
    // Its default (reference, `DeliveryVehicle.type`).
    if vehicle.type == .unspecified { vehicle.type = .auto }
    if fields.contains("last_location") { vehicle.lastLocation?.serverTime = now }
    if !fields.isDisjoint(with: DeliveryVehicleUpdate.route) { routeReported = now }
    if vehicle.currentRouteSegment.isEmpty { endRoute() }
  }

  /// Replaces the journey. A route to a stop that is no longer the first ends.
  ///
  /// - Parameter segments: valid ones, of which those with a path, a distance or a time keep it.
  mutating func setJourney(_ segments: [VehicleJourneySegment], at now: Timestamp) {
    let old = vehicle.remainingVehicleJourneySegments.map(\.identity)
    let new = segments.map(\.identity)
    let places = Dictionary(zip(old, old.indices), uniquingKeysWith: { one, _ in one })
    let kept = Set(new)
    var journey: [VehicleJourneySegment] = []
    for (index, segment) in segments.enumerated() {
      let before = index == 0 ? nil : new[index - 1]
      var known: VehicleJourneySegment?
      // The way to a stop stays as it was when the stop was added, also after the vehicle has passed the stop before.
      if let place = places[new[index]] {
        let start = place == 0 || !kept.contains(old[place - 1]) ? nil : old[place - 1]
        if start == before { known = vehicle.remainingVehicleJourneySegments[place] }
      }
      let start = index == 0 ? vehicle.lastLocation?.location : segments[index - 1].stop?.place
      journey.append(segment.planned(from: start, as: known))
    }
    vehicle.remainingVehicleJourneySegments = journey
    let isSameStop = old.first == new.first
    if !isSameStop { endRoute() }
    let isThere = journey.first?.stop?.state == .arrived
    arrived = isThere ? (isSameStop ? arrived ?? now : now) : nil
  }

  private mutating func endRoute() {
    vehicle.currentRouteSegment = []
    vehicle.currentRouteSegmentEndPoint = nil
    vehicle.remainingDistanceMeters = nil
    vehicle.remainingDuration = nil
    routeReported = nil
  }
}

extension DeliveryVehicle {
  /// The route in the form of a text, which its bytes are.
  var routeText: String { String(decoding: currentRouteSegment, as: UTF8.self) }
}

extension VehicleStop {
  var place: LatLng? { plannedLocation?.point }
}

extension VehicleJourneySegment {
  /// The stop without its state.
  fileprivate var identity: VehicleStop {
    VehicleStop(
      plannedLocation: stop?.plannedLocation,
      tasks: (stop?.tasks ?? []).map { VehicleStop.TaskInfo(taskId: $0.taskId) })
  }

  /// The segment with what it lacks from an earlier one, or else along a straight line.
  fileprivate func planned(
    from start: LatLng?, as known: VehicleJourneySegment?
  ) -> VehicleJourneySegment {
    let isGiven = !path.isEmpty || drivingDistanceMeters != nil || drivingDuration != nil
    var segment = isGiven ? self : known ?? self
    segment.stop = stop
    if segment.path.isEmpty, let start, let end = stop?.place { segment.path = [start, end] }
    let meters =
      segment.drivingDistanceMeters ?? length(of: segment.path).map { Int32(meters: $0) } ?? 0
    segment.drivingDistanceMeters = meters
    segment.drivingDuration = segment.drivingDuration ?? WireDuration(.driving(Double(meters)))
    return segment
  }
}
