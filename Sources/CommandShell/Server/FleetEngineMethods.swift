package import Tripwire

/// The methods of Fleet Engine by their paths.
package struct FleetEngineMethods {
  package static let defaults = Dictionary(
    uniqueKeysWithValues: (TripService.methods + VehicleService.methods + DeliveryService.methods)
      .map { ($0.path, $0) })
}
