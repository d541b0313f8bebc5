public import WireGRPC
public import WireProtobuf

extension GetTaskRequest: GetResourceRequest {}

extension DeliveryTask: FollowedResource {
  /// Whether the task is closed.
  public var isFinal: Bool { state == .closed }

  public static func changes(from old: DeliveryTask, to new: DeliveryTask) -> FieldMask {
    FieldMask(
      changedFieldsFrom: old, to: new,
      except: FieldMask.age(ofLocation: "journey_sharing_info.last_location"))
  }

  public static var getMethod: MethodDescriptor<GetTaskRequest, DeliveryTask> {
    DeliveryServiceMethods.getTask
  }
}
