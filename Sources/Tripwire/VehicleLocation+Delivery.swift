extension VehicleLocation {
  /// Creates the location of a vehicle from that of a delivery vehicle. The two messages have the same
  /// fields with the same numbers.
  package init(_ location: DeliveryVehicleLocation) {
    self = (try? VehicleLocation(serializedBytes: location.serializedBytes())) ?? VehicleLocation()
  }
}
