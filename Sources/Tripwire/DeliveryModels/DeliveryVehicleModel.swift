/// Follows a delivery vehicle. A delivery vehicle is never final, so its loops end when they are left or
/// canceled, or when the ``FleetServices`` are closed.
public typealias DeliveryVehicleModel = ResourceModel<DeliveryVehicle>

/// Options for following a delivery vehicle.
public typealias DeliveryVehicleModelOptions = ResourceModelOptions<DeliveryVehicle>

/// The updates of a delivery vehicle as a sequence.
public typealias DeliveryVehicleUpdates = ResourceUpdates<DeliveryVehicle>

/// The state of a followed delivery vehicle, and the changes since the reader's last update.
public typealias DeliveryVehicleUpdate = ResourceUpdate<DeliveryVehicle>

extension DeliveryVehicleUpdate {
  /// The delivery vehicle with everything that is known; nil before the first response.
  public var deliveryVehicle: DeliveryVehicle? { resource }
}
