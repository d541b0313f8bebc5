/// Follows a delivery vehicle. Following it ends only when its loops are left or canceled.
public typealias DeliveryVehicleModel = ResourceModel<DeliveryVehicle>

/// Options for following a delivery vehicle.
public typealias DeliveryVehicleModelOptions = ResourceModelOptions<DeliveryVehicle>

/// The updates of a delivery vehicle as a sequence.
public typealias DeliveryVehicleUpdates = ResourceUpdates<DeliveryVehicle>

/// The state of a delivery vehicle that is followed, and what has changed since the reader's last update.
public typealias DeliveryVehicleUpdate = ResourceUpdate<DeliveryVehicle>

extension DeliveryVehicleUpdate {
  /// Everything that is known; nil before the first response.
  public var deliveryVehicle: DeliveryVehicle? { resource }
}
