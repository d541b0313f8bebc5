/// Follows a task. The loops over its updates end when the task is closed.
public typealias TaskModel = ResourceModel<DeliveryTask>

/// Options for following a task.
public typealias TaskModelOptions = ResourceModelOptions<DeliveryTask>

/// The updates of a task as a sequence.
public typealias TaskUpdates = ResourceUpdates<DeliveryTask>

/// The state of a followed task, and the changes since the reader's last update.
public typealias TaskUpdate = ResourceUpdate<DeliveryTask>

extension TaskUpdate {
  /// The task with everything that is known; nil before the first response.
  public var task: DeliveryTask? { resource }
}
