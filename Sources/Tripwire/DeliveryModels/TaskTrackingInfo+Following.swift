public import WireGRPC
public import WireProtobuf

extension GetTaskTrackingInfoRequest: GetResourceRequest {}

extension TaskTrackingInfo: FollowedResource {
  /// Whether the task is closed.
  public var isFinal: Bool { state == .closed }

  public static func changes(from old: TaskTrackingInfo, to new: TaskTrackingInfo) -> FieldMask {
    FieldMask(
      changedFieldsFrom: old, to: new, except: FieldMask.age(ofLocation: "vehicle_location"))
  }

  public static var getMethod: MethodDescriptor<GetTaskTrackingInfoRequest, TaskTrackingInfo> {
    DeliveryServiceMethods.getTaskTrackingInfo
  }
}
