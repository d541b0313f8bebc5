import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// The change of a task by UpdateTask.
struct TaskUpdate {
  /// The fields that Fleet Engine maintains (reference, `UpdateTaskRequest.task`).
  static let serverOwned: Set = [
    "delivery_vehicle_id", "journey_sharing_info", "name", "task_outcome_location_source",
  ]
  static let immutable: Set = ["planned_location", "task_duration", "tracking_id", "type"]

  let name: ResourceName
  let given: DeliveryTask
  /// Valid, and without fields that are immutable or that Fleet Engine maintains.
  let mask: FieldMask

  /// Returns the changed task.
  ///
  /// - Parameter location: the last one of its vehicle.
  func apply(
    to stored: StoredTask, _ location: DeliveryVehicleLocation?, at now: Timestamp
  ) throws(EngineError) -> StoredTask {
    let task = stored.task
    var changed = task
    changed.replaceFields(from: given, mask)
    try check(changed)
    try checkState(of: stored, task, to: changed)
    setOutcome(of: &changed, after: task, location, at: now)
    return StoredTask(changed)
  }

  private func check(_ task: DeliveryTask) throws(EngineError) {
    var violations = Violations()
    violations.require([.open, .closed].contains(task.state), "task.state")
    violations.require(task.taskOutcome.name != nil, "task.task_outcome", "is unknown")
    violations.requirePlace(
      task.taskOutcomeLocation?.point, "task.task_outcome_location.point")
    violations.requireTask(task, "task")
    try violations.check()
  }

  private func checkState(
    of stored: StoredTask, _ task: DeliveryTask, to changed: DeliveryTask
  ) throws(EngineError) {
    guard stored.isOpen || changed.state == .closed else {
      throw .failedPrecondition("TASK_CLOSED", name, "is CLOSED")
    }
    guard changed.state == .open || !stored.isAssigned else {
      throw .failedPrecondition(
        "TASK_ASSIGNED", name,
        "is assigned to \(stored.vehicleID), and is closed when its stop is removed")
    }
    guard task.taskOutcome == .unspecified || task.taskOutcome == changed.taskOutcome else {
      throw .failedPrecondition(
        "TASK_OUTCOME", name, "already has the outcome \(task.taskOutcome.name ?? "?")")
    }
  }

  /// Completes an outcome by the time, and by the location of the vehicle (reference, `task_outcome_location`).
  private func setOutcome(
    of changed: inout DeliveryTask, after task: DeliveryTask, _ location: DeliveryVehicleLocation?,
    at now: Timestamp
  ) {
    let fields = mask.topLevelFields
    let isNew = changed.taskOutcome != task.taskOutcome
    if !fields.contains("task_outcome_time") || given.taskOutcomeTime == nil {
      changed.taskOutcomeTime = isNew ? now : task.taskOutcomeTime
    }
    if fields.contains("task_outcome_location"), given.taskOutcomeLocation != nil {
      changed.taskOutcomeLocationSource = .provider
    } else if isNew, let place = location?.rawLocation ?? location?.location {
      changed.taskOutcomeLocation = LocationInfo(point: place)
      changed.taskOutcomeLocationSource = .lastVehicleLocation
    } else {
      changed.taskOutcomeLocation = task.taskOutcomeLocation
    }
  }
}
