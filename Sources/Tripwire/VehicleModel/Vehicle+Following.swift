public import WireGRPC
public import WireProtobuf

extension GetVehicleRequest: GetResourceRequest {}

/// Two parts of a vehicle have version stamps: the route and the stops.
extension Vehicle: FollowedResource {
  public static func changes(from old: Vehicle, to new: Vehicle) -> FieldMask {
    FieldMask(changedFieldsFrom: old.withoutTimes, to: new.withoutTimes)
  }

  /// The vehicle without version stamps and without the fields that change while it sends nothing.
  package var withoutTimes: Vehicle {
    var vehicle = self
    vehicle.lastLocation = lastLocation?.withoutAge
    vehicle.remainingTimeSeconds = nil
    vehicle.currentRouteSegmentVersion = nil
    vehicle.waypointsVersion = nil
    return vehicle
  }

  // MARK: Requests

  public static var getMethod: MethodDescriptor<GetVehicleRequest, Vehicle> {
    VehicleServiceMethods.getVehicle
  }

  public static func hasStamps(_ request: GetVehicleRequest) -> Bool {
    request.currentRouteSegmentVersion != nil || request.waypointsVersion != nil
  }

  public func stamp(_ request: inout GetVehicleRequest) {
    request.currentRouteSegmentVersion = currentRouteSegmentVersion
    request.waypointsVersion = waypointsVersion
  }

  // MARK: Responses

  public func isOlder(than request: GetVehicleRequest) -> Bool {
    currentRouteSegmentVersion.isOlder(than: request.currentRouteSegmentVersion)
      || waypointsVersion.isOlder(than: request.waypointsVersion)
  }

  public mutating func complete(from held: Vehicle, to request: GetVehicleRequest) -> Bool {
    if currentRouteSegment.isEmpty,
      currentRouteSegmentVersion.isUnchanged(since: request.currentRouteSegmentVersion)
    {
      currentRouteSegment = held.currentRouteSegment
      currentRouteSegmentVersion = held.currentRouteSegmentVersion
    }
    if waypoints.isEmpty, waypointsVersion.isUnchanged(since: request.waypointsVersion) {
      waypoints = held.waypoints
      waypointsVersion = held.waypointsVersion
    }
    return true
  }

  public mutating func shareEqualParts(with held: Vehicle) {
    if Vehicle.areEqual(waypoints, held.waypoints) { waypoints = held.waypoints }
    if currentRouteSegment == held.currentRouteSegment {
      currentRouteSegment = held.currentRouteSegment
    }
  }
}
