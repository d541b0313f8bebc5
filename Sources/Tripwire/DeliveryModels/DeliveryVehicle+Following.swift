public import WireGRPC
public import WireProtobuf

extension GetDeliveryVehicleRequest: GetResourceRequest {}

extension DeliveryVehicle: FollowedResource {
  public static func changes(from old: DeliveryVehicle, to new: DeliveryVehicle) -> FieldMask {
    FieldMask(changedFieldsFrom: old.withoutTimes, to: new.withoutTimes)
  }

  /// The vehicle without the fields that change while it sends nothing.
  package var withoutTimes: DeliveryVehicle {
    var vehicle = self
    vehicle.lastLocation = lastLocation?.withoutAge
    vehicle.remainingDuration = nil
    return vehicle
  }

  public static var getMethod: MethodDescriptor<GetDeliveryVehicleRequest, DeliveryVehicle> {
    DeliveryServiceMethods.getDeliveryVehicle
  }
}

extension DeliveryVehicleLocation {
  /// The location without the fields that change while the vehicle sends nothing.
  var withoutAge: DeliveryVehicleLocation {
    var location = self
    location.timeSinceUpdate = nil
    location.numStaleUpdates = nil
    return location
  }
}
