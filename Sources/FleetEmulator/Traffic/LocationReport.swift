package import FleetEngineAPI
package import FleetEngineDeliveryAPI
package import WireProtobuf

/// A location that a driver's app sends, with the rest of the route.
package struct LocationReport: Equatable, Sendable {
  package var place: LatLng
  /// In degrees clockwise from north; nil if the vehicle has not moved yet.
  package var heading: Int32?
  /// In meters per second; nil if it is not known.
  package var speed: Double?
  /// The largest distance of `place` from the true place in meters; nil for none.
  package var accuracy: Double?
  /// The distance from the start in meters; nil without a route.
  package var driven: Double?
  /// The distance to the end in meters; nil without a route.
  package var remaining: Double?
  /// The route as an S2 polyline, if the server does not have it yet.
  package var route: String?

  /// Returns the request for a vehicle of on-demand trips.
  package func request(vehicle name: String, at time: Timestamp) -> UpdateVehicleRequest {
    var vehicle = Vehicle(remainingDistanceMeters: remaining.map(Int32.init(meters:)))
    vehicle.lastLocation = VehicleLocation(
      location: place, latlngAccuracy: accuracy, heading: heading, speed: speed,
      updateTime: time, locationSensor: .gps)
    vehicle.currentRouteSegment = route ?? ""
    return UpdateVehicleRequest(
      name: name, vehicle: vehicle,
      updateMask: FieldMask(paths: mask + (route == nil ? [] : ["current_route_segment"])))
  }

  /// Returns the request for a delivery vehicle. Its route is that to the next stop, which this one may not be.
  package func request(
    deliveryVehicle name: String, at time: Timestamp
  ) -> UpdateDeliveryVehicleRequest {
    var vehicle = DeliveryVehicle(
      name: name, remainingDistanceMeters: remaining.map(Int32.init(meters:)))
    vehicle.lastLocation = DeliveryVehicleLocation(
      location: place, latlngAccuracy: accuracy, heading: heading, speed: speed,
      updateTime: time, locationSensor: .gps)
    return UpdateDeliveryVehicleRequest(
      deliveryVehicle: vehicle, updateMask: FieldMask(paths: mask))
  }

  private var mask: [String] {
    ["last_location"] + (remaining == nil ? [] : ["remaining_distance_meters"])
  }
}
