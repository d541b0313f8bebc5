import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

// The methods of DeliveryService for tasks, by the rules of its reference:
// https://developers.google.com/maps/documentation/mobility/fleet-engine/reference/tasks/rpc
extension FleetEngine {
  /// The most tasks of a batch (reference, `BatchCreateTasksRequest.requests`).
  private static let largestBatch = 500

  func getTask(_ request: GetTaskRequest, at now: Timestamp) throws(EngineError) -> DeliveryTask {
    let name = try ResourceName(checked: request.name, .task)
    let provider = self[provider: name.providerID]
    return provider.answer(try provider.task(name), name.id, at: now)
  }

  mutating func createTask(
    _ request: CreateTaskRequest, at now: Timestamp
  ) throws(EngineError) -> DeliveryTask {
    var violations = Violations()
    violations.requireParent(request.parent)
    violations.requireNewTask(request, "")
    try violations.check()
    return try create([request], request.parent)[0]
  }

  /// Creates all tasks, or none.
  mutating func batchCreateTasks(
    _ request: BatchCreateTasksRequest, at now: Timestamp
  ) throws(EngineError) -> BatchCreateTasksResponse {
    var violations = Violations()
    violations.requireParent(request.parent)
    violations.require(!request.requests.isEmpty, "requests")
    violations.require(
      request.requests.count <= Self.largestBatch, "requests",
      "has more than \(Self.largestBatch) tasks")
    var ids: Set<String> = []
    for (index, each) in request.requests.enumerated() {
      let field = "requests[\(index)]."
      violations.require(
        each.parent.isEmpty || each.parent == request.parent, "\(field)parent",
        "differs from the parent of the batch")
      violations.require(
        request.header == nil || each.header == nil || each.header == request.header,
        "\(field)header", "differs from the header of the batch")
      violations.requireNewTask(each, field)
      violations.require(
        ids.insert(each.taskId).inserted, "\(field)task_id", "is twice in the batch")
    }
    try violations.check()
    return BatchCreateTasksResponse(tasks: try create(request.requests, request.parent))
  }

  private mutating func create(
    _ requests: [CreateTaskRequest], _ parent: String
  ) throws(EngineError) -> [DeliveryTask] {
    var names: [ResourceName] = []
    for request in requests {
      let name = try ResourceName(checked: "\(parent)/tasks/\(request.taskId)", .task, "task_id")
      guard self[provider: name.providerID].tasks[name.id] == nil else {
        throw .alreadyExists(name)
      }
      names.append(name)
    }
    return zip(requests, names).map { request, name in
      self[provider: name.providerID].add(request.task ?? DeliveryTask(), name)
    }
  }

  mutating func updateTask(
    _ request: UpdateTaskRequest, at now: Timestamp
  ) throws(EngineError) -> DeliveryTask {
    let given = request.task ?? DeliveryTask()
    let name = try ResourceName(checked: given.name, .task, "task.name")
    let mask = try request.updateMask.checked(
      for: DeliveryTask.self, serverOwned: TaskUpdate.serverOwned, immutable: TaskUpdate.immutable)
    let provider = self[provider: name.providerID]
    let stored = try provider.task(name)
    let update = TaskUpdate(name: name, given: given, mask: mask)
    let changed = try update.apply(
      to: stored, provider.deliveryVehicles[stored.vehicleID]?.vehicle.lastLocation, at: now)
    self[provider: name.providerID].tasks[name.id] = changed
    return provider.answer(changed, name.id, at: now)
  }

  mutating func deleteTask(
    _ request: DeleteTaskRequest, at now: Timestamp
  ) throws(EngineError) -> Empty {
    let name = try ResourceName(checked: request.name, .task)
    try self[provider: name.providerID].deleteTask(name)
    return Empty()
  }

  func listTasks(
    _ request: ListTasksRequest, at now: Timestamp
  ) throws(EngineError) -> ListTasksResponse {
    var violations = Violations()
    violations.requireParent(request.parent)
    try violations.check()
    let filter = try ResourceFilter(
      request.filter, fields: StoredTask.filtered, times: ["task_outcome_time"])
    let page = try PageRequest(request)
    let provider = self[parent: request.parent]
    let found = provider.tasks.resources.filter { _, stored in
      filter.matches { stored.value(of: $0) }
    }
    let (ids, token) = page.page(of: found.keys)
    return ListTasksResponse(
      tasks: ids.compactMap { id in found[id].map { provider.answer($0, id, at: now) } },
      nextPageToken: token, totalSize: Int64(found.count))
  }
}

extension StoredTask {
  /// The fields that a filter may use besides attributes and the time of the outcome. Source:
  /// https://developers.google.com/maps/documentation/mobility/fleet-engine/journeys/tasks/find-tasks
  fileprivate static let filtered: Set = [
    "delivery_vehicle_id", "state", "task_outcome", "task_outcome_location_source", "tracking_id",
    "type",
  ]

  /// The value of a field as filters compare it; nil for an empty one.
  fileprivate func value(of field: String) -> ResourceFilter.Value? {
    let text: String?
    switch field {
    case "delivery_vehicle_id": text = vehicleID
    case "state": text = task.state.name
    case "task_outcome": text = task.taskOutcome.name
    case "task_outcome_location_source": text = task.taskOutcomeLocationSource.name
    case "task_outcome_time": return task.taskOutcomeTime.map { .time($0) }
    case "tracking_id": text = task.trackingId
    case "type": text = task.type.name
    default: return ResourceFilter.attribute(field, of: task.attributes)
    }
    return text.flatMap { $0.isEmpty ? nil : .text($0) }
  }
}
