import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

extension ProviderState {
  func deliveryVehicle(_ name: ResourceName) throws(EngineError) -> StoredDeliveryVehicle {
    guard let vehicle = deliveryVehicles[name.id] else { throw .notFound(name) }
    return vehicle
  }

  func task(_ name: ResourceName) throws(EngineError) -> StoredTask {
    guard let task = tasks[name.id] else { throw .notFound(name) }
    return task
  }

  // MARK: Journeys

  /// Changes a vehicle. The tasks of its new journey are assigned to it, and those that are no longer there are
  /// closed (reference, `UpdateDeliveryVehicle` and `UpdateTaskRequest.task`).
  mutating func update(
    _ update: DeliveryVehicleUpdate, at now: Timestamp
  ) throws(EngineError) -> StoredDeliveryVehicle {
    let name = update.name
    let before = try deliveryVehicle(name)
    let journey = update.hasJourney ? try journey(of: update) : []
    let changed = try update.apply(to: before, journey: journey, at: now)
    deliveryVehicles[name.id] = changed
    if update.hasJourney {
      let ids = Set(changed.taskIDs)
      for id in before.taskIDs where !ids.contains(id) { tasks[id]?.task.state = .closed }
      for id in ids where tasks[id]?.isAssigned == false {
        tasks[id]?.task.deliveryVehicleId = name.id
      }
    }
    return changed
  }

  /// Returns the journey of an update with the durations of its tasks, which must be open and on no other vehicle.
  private func journey(
    of update: DeliveryVehicleUpdate
  ) throws(EngineError) -> [VehicleJourneySegment] {
    try update.checkJourney()
    var segments = update.given.remainingVehicleJourneySegments
    for index in segments.indices {
      for place in segments[index].stop?.tasks.indices ?? 0..<0 {
        let id = segments[index].stop?.tasks[place].taskId ?? ""
        let name = try update.name.sibling(.task, id, "task_id")
        let stored = try task(name)
        guard stored.isOpen else {
          throw .failedPrecondition("TASK_CLOSED", name, "is CLOSED")
        }
        guard !stored.isAssigned || stored.vehicleID == update.name.id else {
          throw .failedPrecondition("TASK_ASSIGNED", name, "is assigned to \(stored.vehicleID)")
        }
        segments[index].stop?.tasks[place] = VehicleStop.TaskInfo(
          taskId: id, taskDuration: stored.task.taskDuration)
      }
    }
    return segments
  }

  /// Adds the time windows of the tasks of a segment.
  func addWindows(to segment: inout VehicleJourneySegment) {
    for index in segment.stop?.tasks.indices ?? 0..<0 {
      let id = segment.stop?.tasks[index].taskId ?? ""
      segment.stop?.tasks[index].targetTimeWindow = tasks[id]?.task.targetTimeWindow
    }
  }

  // MARK: Tasks

  /// The task in a response.
  func answer(_ stored: StoredTask, _ id: String, at now: Timestamp) -> DeliveryTask {
    var task = stored.task
    guard let (vehicle, journey, index) = journey(of: stored, id, at: now) else { return task }
    var info = DeliveryTask.JourneySharingInfo()
    info.remainingVehicleJourneySegments = journey.segments(through: index)
    info.lastLocation = vehicle.vehicle.lastLocation?.answered(at: now)
    info.lastLocationSnappable =
      info.lastLocation != nil && !vehicle.vehicle.currentRouteSegment.isEmpty
    task.journeySharingInfo = info
    return task
  }

  /// Returns the vehicle of a task and its journey, with the index of the stop; nil unless the task is assigned.
  func journey(
    of task: StoredTask, _ id: String, at now: Timestamp
  ) -> (vehicle: StoredDeliveryVehicle, journey: DeliveryJourney, index: Int)? {
    guard task.isAssigned, let vehicle = deliveryVehicles[task.vehicleID] else { return nil }
    let journey = DeliveryJourney(vehicle, at: now)
    return journey.index(of: id).map { (vehicle, journey, $0) }
  }

  /// - Parameter task: a valid one, whose ID is not in use.
  mutating func add(_ task: DeliveryTask, _ name: ResourceName) -> DeliveryTask {
    var task = task
    task.name = "\(name)"
    setTask(name.id, StoredTask(task))
    return task
  }

  mutating func deleteTask(_ name: ResourceName) throws(EngineError) {
    let stored = try task(name)
    guard !stored.isAssigned else {
      throw .failedPrecondition(
        "TASK_ASSIGNED", name, "is OPEN and assigned to \(stored.vehicleID)")
    }
    setTask(name.id, nil)
  }

  /// Adds, replaces or removes a task.
  mutating func setTask(_ id: String, _ task: StoredTask?) {
    if let old = tasks[id]?.task.trackingId, !old.isEmpty {
      shipments[old]?.remove(id)
      if shipments[old]?.isEmpty == true { shipments[old] = nil }
    }
    tasks[id] = task
    if let new = task?.task.trackingId, !new.isEmpty {
      shipments[new, default: []].insert(id)
    }
  }
}
