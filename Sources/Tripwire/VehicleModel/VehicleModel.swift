/// Follows a vehicle. A vehicle is never final, so its loops end when they are left or canceled, or when the
/// ``FleetServices`` are closed.
public typealias VehicleModel = ResourceModel<Vehicle>

/// Options for following a vehicle.
public typealias VehicleModelOptions = ResourceModelOptions<Vehicle>

/// The updates of a vehicle as a sequence.
public typealias VehicleUpdates = ResourceUpdates<Vehicle>

/// The state of a followed vehicle, and the changes since the reader's last update.
public typealias VehicleUpdate = ResourceUpdate<Vehicle>

extension VehicleUpdate {
  /// The vehicle with everything that is known; nil before the first response.
  public var vehicle: Vehicle? { resource }
}
