import Tripwire
import WireProtobuf

/// The request of a resource, as far as its response depends on it.
indirect enum ResourceRequest {
  case trip(GetTripRequest)
  case vehicle(GetVehicleRequest)
  case whole
  /// For a list, in which parts of the resource may be missing.
  case list

  /// Returns nil if the method does not get one resource, or the request does not decode.
  init?(_ data: [UInt8], of path: String) {
    switch path {
    case TripServiceMethods.getTrip.path:
      guard let request = try? GetTripRequest(serializedBytes: data) else { return nil }
      self = .trip(request)
    case VehicleServiceMethods.getVehicle.path:
      guard let request = try? GetVehicleRequest(serializedBytes: data) else { return nil }
      self = .vehicle(request)
    default:
      guard ResourceKind.allCases.contains(where: { $0.getPath == path }) else { return nil }
      self = .whole
    }
  }

  /// The parts of which only later changes are requested; nil for a list.
  var versionStamps: [VersionStamp]? {
    switch self {
    case .trip(let request): request.versionStamps
    case .vehicle(let request): request.versionStamps
    case .whole: []
    case .list: nil
    }
  }
}

/// Decodes the resources in responses.
enum RecordedResources {
  /// Returns the resource in the response of a method that gets, creates or updates one; nil for other
  /// methods, and for data that does not decode.
  static func resource(in data: [UInt8], of path: String) -> FleetResource? {
    kinds[path].flatMap { resource(in: data, as: $0.messageType) }
  }

  private static func resource<Resource: FleetMessage>(
    in data: [UInt8], as type: Resource.Type
  ) -> FleetResource? {
    (try? Resource(serializedBytes: data))?.resource
  }

  /// By the path of the method.
  private static let kinds = Dictionary(
    uniqueKeysWithValues: ResourceKind.allCases.flatMap { kind in
      ["Get", "Create", "Update"].map { (kind.path(of: $0), kind) }
    })

  /// Returns the resources in the response of a method that lists or creates several; empty for other
  /// methods. Leaves out resources that do not decode.
  static func list(in data: [UInt8], of path: String) -> [FleetResource] {
    guard let field = lists[path], let type = field.message as? any FleetMessage.Type,
      // Decoded as Empty, the response keeps each resource as an unknown field.
      let response = try? Empty(serializedBytes: data)
    else { return [] }
    return response.unknownFields.fields.compactMap { part in
      guard part.number == field.number, case .lengthDelimited(let bytes) = part.value else {
        return nil
      }
      return resource(in: bytes, as: type)
    }
  }

  /// Returns the location in a request that updates a vehicle; nil for other methods, and if it has none.
  static func sentLocation(in request: [UInt8], of path: String) -> VehicleLocation? {
    switch kinds[path] {
    case .vehicle where path == ResourceKind.vehicle.path(of: "Update"):
      (try? UpdateVehicleRequest(serializedBytes: request))?.vehicle?.lastLocation
    case .deliveryVehicle where path == ResourceKind.deliveryVehicle.path(of: "Update"):
      (try? UpdateDeliveryVehicleRequest(serializedBytes: request))?.deliveryVehicle?
        .lastLocation.map(VehicleLocation.init)
    default: nil
    }
  }

  /// The fields with resources in responses, by the path of the method.
  private static let lists = FleetMethod.all.compactMapValues { method in
    method.responseType.fields.fields.first { $0.message is any FleetMessage.Type }
  }
}

extension FleetResource {
  /// The resource with the parts that lists and updates may leave out, from the known one.
  func completed(from known: FleetResource?) -> FleetResource {
    switch (self, known) {
    case (.trip(let trip), .trip(let known)) where !trip.tripStatus.isFinal:
      return .trip(trip.completed(from: known))
    case (.deliveryVehicle(var vehicle), .deliveryVehicle(let known))
    where vehicle.remainingVehicleJourneySegments.isEmpty:
      vehicle.remainingVehicleJourneySegments = known.remainingVehicleJourneySegments
      return .deliveryVehicle(vehicle)
    case (.task(var task), .task(let known)) where task.journeySharingInfo == nil && !task.isFinal:
      task.journeySharingInfo = known.journeySharingInfo
      return .task(task)
    default: return self
    }
  }
}

extension Trip {
  /// The trip with the parts of the journey that it lacks, from the known one.
  fileprivate func completed(from known: Trip) -> Trip {
    var trip = self
    trip.lastLocation = lastLocation ?? known.lastLocation
    trip.etaToFirstWaypoint = etaToFirstWaypoint ?? known.etaToFirstWaypoint
    trip.remainingDistanceMeters = remainingDistanceMeters ?? known.remainingDistanceMeters
    if remainingWaypoints.isEmpty { trip.remainingWaypoints = known.remainingWaypoints }
    if route.isEmpty, currentRouteSegment.isEmpty {
      trip.route = known.route
      trip.currentRouteSegment = known.currentRouteSegment
      trip.currentRouteSegmentTraffic = known.currentRouteSegmentTraffic
      trip.currentRouteSegmentEndPoint = known.currentRouteSegmentEndPoint
    }
    return trip
  }
}
