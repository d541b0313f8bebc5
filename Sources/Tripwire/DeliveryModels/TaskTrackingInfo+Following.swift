public import WireGRPC
public import WireProtobuf

extension GetTaskTrackingInfoRequest: GetResourceRequest {}

extension TaskTrackingInfo: FollowedResource {
  /// Whether the task is closed.
  public var isFinal: Bool { state == .closed }

  public static func changes(from old: TaskTrackingInfo, to new: TaskTrackingInfo) -> FieldMask {
    FieldMask(changedFieldsFrom: old.withoutTimes, to: new.withoutTimes)
  }

  /// The information without the fields that change while the vehicle sends nothing.
  package var withoutTimes: TaskTrackingInfo {
    var info = self
    info.vehicleLocation = vehicleLocation?.withoutAge
    return info
  }

  public static var getMethod: MethodDescriptor<GetTaskTrackingInfoRequest, TaskTrackingInfo> {
    DeliveryServiceMethods.getTaskTrackingInfo
  }
}
