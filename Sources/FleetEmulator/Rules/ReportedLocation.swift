import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// The location of a vehicle of either API.
protocol ReportedLocation {
  var location: LatLng? { get }
  var rawLocation: LatLng? { get }
  var heading: Int32? { get }
  var updateTime: Timestamp? { get }
  var serverTime: Timestamp? { get }
  var isGpsSensorEnabled: Bool? { get set }
  var timeSinceUpdate: Int32? { get set }
  var numStaleUpdates: Int32? { get set }
  /// Whether a sensor is FLEET_ENGINE_LOCATION.
  var isEstimate: Bool { get }
}

extension VehicleLocation: ReportedLocation {
  var isEstimate: Bool {
    [locationSensor, rawLocationSensor, supplementalLocationSensor].contains(.fleetEngineLocation)
  }
}

extension DeliveryVehicleLocation: ReportedLocation {
  var isEstimate: Bool {
    [locationSensor, rawLocationSensor, supplementalLocationSensor].contains(.fleetEngineLocation)
  }
}

extension ReportedLocation {
  /// The location in a response: with its age, and without the other fields that are input only.
  func answered(at now: Timestamp) -> Self {
    var location = self
    location.isGpsSensorEnabled = nil
    location.numStaleUpdates = nil
    location.timeSinceUpdate = (updateTime ?? serverTime).map {
      Int32(clamping: max(0, (now - $0).components.seconds))
    }
    return location
  }
}

extension Violations {
  mutating func requireLocation(_ location: (some ReportedLocation)?, _ field: String) {
    guard let location else { return }
    require(location.location != nil, "\(field).location")
    requirePlace(location.location, "\(field).location")
    requirePlace(location.rawLocation, "\(field).raw_location")
    require(
      0..<360 ~= location.heading ?? 0, "\(field).heading", "must be from 0 to 359 degrees")
    require(
      !location.isEstimate, "\(field).location_sensor",
      "must not be FLEET_ENGINE_LOCATION, which is output only")
  }

  /// Adds a violation for a route that is not a polyline.
  mutating func requireRoute(_ route: String, _ field: String) {
    do throws(PolylineError) {
      _ = try Polyline.decode(route)
    } catch {
      add(field, "is not a polyline: \(error)")
    }
  }
}
