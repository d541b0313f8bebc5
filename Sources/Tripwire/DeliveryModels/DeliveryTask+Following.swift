public import WireGRPC

extension DeliveryTask: FollowedResource {
  public typealias Header = DeliveryRequestHeader

  /// Whether the task is closed.
  public var isFinal: Bool { state == .closed }

  public static var getMethod: MethodDescriptor<GetTaskRequest, DeliveryTask> {
    DeliveryServiceMethods.getTask
  }

  public static func request(
    forName name: String, header: DeliveryRequestHeader?
  ) -> GetTaskRequest {
    var request = GetTaskRequest()
    request.name = name
    request.header = header
    return request
  }
}
