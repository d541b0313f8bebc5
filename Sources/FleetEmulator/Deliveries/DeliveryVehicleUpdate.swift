import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// The change of a delivery vehicle by UpdateDeliveryVehicle.
struct DeliveryVehicleUpdate {
  static let serverOwned: Set = ["name"]
  static let route: Set = [
    "current_route_segment", "current_route_segment_end_point", "remaining_distance_meters",
    "remaining_duration",
  ]
  private static let journey = "remaining_vehicle_journey_segments"

  let name: ResourceName
  let given: DeliveryVehicle
  /// Valid, and without fields that Fleet Engine maintains.
  let mask: FieldMask

  /// Whether it replaces the journey.
  var hasJourney: Bool { mask.topLevelFields.contains(Self.journey) }

  /// Returns the changed vehicle.
  ///
  /// - Parameter segments: its new journey.
  func apply(
    to stored: StoredDeliveryVehicle, journey segments: [VehicleJourneySegment], at now: Timestamp
  ) throws(EngineError) -> StoredDeliveryVehicle {
    var changed = stored
    // A new journey begins at the new location, and ends the present route but not a new one.
    let route = mask.only(Self.route)
    let others = mask.without(Self.route.union([Self.journey, "past_locations"]))
    changed.replaceFields(from: given, others, at: now)
    if hasJourney { changed.setJourney(segments, at: now) }
    // Without a route, what remains of it is ignored (reference, `remaining_distance_meters`).
    let ignored =
      given.currentRouteSegment.isEmpty ? Self.route.subtracting(["current_route_segment"]) : []
    changed.replaceFields(from: given, route.without(ignored), at: now)
    var violations = Violations()
    violations.requireDeliveryVehicle(changed.vehicle)
    try violations.check()
    return changed
  }

  /// Checks the journey, except its tasks.
  func checkJourney() throws(EngineError) {
    var violations = Violations()
    var tasks: Set<String> = []
    for (index, segment) in given.remainingVehicleJourneySegments.enumerated() {
      let field = "delivery_vehicle.\(Self.journey)[\(index)]"
      let stop = segment.stop ?? VehicleStop()
      violations.require(stop.place != nil, "\(field).stop.planned_location")
      violations.requirePlace(stop.place, "\(field).stop.planned_location.point")
      violations.require([.new, .enroute, .arrived].contains(stop.state), "\(field).stop.state")
      for (place, task) in stop.tasks.enumerated() {
        let field = "\(field).stop.tasks[\(place)].task_id"
        violations.requireID(task.taskId, of: .task, field)
        violations.require(
          tasks.insert(task.taskId).inserted, field, "is twice in the journey")
      }
      violations.require(
        segment.path.allSatisfy(\.isOnGlobe), "\(field).path",
        "has a point that is not on the globe")
      violations.require(
        segment.drivingDistanceMeters ?? 0 >= 0, "\(field).driving_distance_meters",
        "must not be negative")
      violations.requireDuration(segment.drivingDuration, "\(field).driving_duration")
    }
    try violations.check()
  }
}

extension Violations {
  /// The rules for a delivery vehicle that is created or changed, except those for its journey.
  mutating func requireDeliveryVehicle(_ vehicle: DeliveryVehicle) {
    let field = "delivery_vehicle"
    require(vehicle.type.name != nil, "\(field).type", "is unknown")
    requireLocation(vehicle.lastLocation, "\(field).last_location")
    requireAttributes(vehicle.attributes, "\(field).attributes")
    requireRoute(vehicle.routeText, "\(field).current_route_segment")
    requirePlace(
      vehicle.currentRouteSegmentEndPoint, "\(field).current_route_segment_end_point")
    require(
      vehicle.remainingDistanceMeters ?? 0 >= 0, "\(field).remaining_distance_meters",
      "must not be negative")
    requireDuration(vehicle.remainingDuration, "\(field).remaining_duration")
  }

  /// Adds a violation for a negative duration, or one that is not valid in protobuf.
  mutating func requireDuration(_ duration: WireDuration?, _ field: String) {
    let longest = WireDuration.validSeconds.upperBound
    require(
      Duration.zero...(.seconds(longest)) ~= duration?.duration ?? .zero, field,
      "must be between 0 s and \(longest) s")
  }

  /// Adds a violation for each field that is set, except some.
  mutating func requireUnset<Content: Message>(
    except permitted: Set<String>, in given: Content, _ field: String
  ) {
    let set = FieldMask(changesFrom: Content(), to: given).topLevelFields
    for name in set.subtracting(permitted).sorted() { add("\(field).\(name)", "must not be set") }
  }
}
