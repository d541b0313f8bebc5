/// Follows the progress of a shipment. The loops over its updates end when the task is closed.
public typealias TaskTrackingModel = ResourceModel<TaskTrackingInfo>

/// Options for following the progress of a shipment.
public typealias TaskTrackingModelOptions = ResourceModelOptions<TaskTrackingInfo>

/// The updates of the progress of a shipment as a sequence.
public typealias TaskTrackingUpdates = ResourceUpdates<TaskTrackingInfo>

/// The progress of a followed shipment, and the changes since the reader's last update.
public typealias TaskTrackingUpdate = ResourceUpdate<TaskTrackingInfo>

extension TaskTrackingUpdate {
  /// The tracking information with everything that is known; nil before the first response.
  public var trackingInfo: TaskTrackingInfo? { resource }
}
