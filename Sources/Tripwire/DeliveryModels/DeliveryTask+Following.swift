public import WireGRPC
public import WireProtobuf

extension GetTaskRequest: GetResourceRequest {}

extension DeliveryTask: FollowedResource {
  /// Whether the task is closed.
  public var isFinal: Bool { state == .closed }

  public static func changes(from old: DeliveryTask, to new: DeliveryTask) -> FieldMask {
    FieldMask(changedFieldsFrom: old.withoutTimes, to: new.withoutTimes)
  }

  /// The task without the fields that change while the vehicle sends nothing.
  package var withoutTimes: DeliveryTask {
    var task = self
    task.journeySharingInfo?.lastLocation = journeySharingInfo?.lastLocation?.withoutAge
    return task
  }

  public static var getMethod: MethodDescriptor<GetTaskRequest, DeliveryTask> {
    DeliveryServiceMethods.getTask
  }
}
