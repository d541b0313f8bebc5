public import WireGRPC
public import WireProtobuf

extension GetDeliveryVehicleRequest: GetResourceRequest {}

extension DeliveryVehicle: FollowedResource {
  public static func changes(from old: DeliveryVehicle, to new: DeliveryVehicle) -> FieldMask {
    FieldMask(
      changedFieldsFrom: old, to: new,
      except: FieldMask.age(ofLocation: "last_location") + ["remaining_duration"])
  }

  public static var getMethod: MethodDescriptor<GetDeliveryVehicleRequest, DeliveryVehicle> {
    DeliveryServiceMethods.getDeliveryVehicle
  }
}
