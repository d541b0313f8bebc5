import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

extension Violations {
  /// The fields that CreateTask accepts (reference, `CreateTaskRequest.task`). It ignores the name.
  private static let settable: Set = [
    "attributes", "name", "planned_location", "state", "target_time_window", "task_duration",
    "task_tracking_view_config", "tracking_id", "type",
  ]

  /// The rules for a task that is created.
  ///
  /// - Parameter prefix: the field of the request in a batch, with a dot.
  mutating func requireNewTask(_ request: CreateTaskRequest, _ prefix: String) {
    let task = request.task ?? DeliveryTask()
    let field = "\(prefix)task"
    requireID(request.taskId, of: .task, "\(prefix)task_id")
    require(request.task != nil, field)
    require(task.type != .unspecified && task.type.name != nil, "\(field).type")
    require(task.state == .open, "\(field).state", "must be OPEN")
    switch task.type {
    case .unavailable, .scheduledStop:
      require(
        task.trackingId.isEmpty, "\(field).tracking_id",
        "must not be set for UNAVAILABLE and SCHEDULED_STOP")
    case .pickup, .delivery:
      requireID(task.trackingId, of: .taskTrackingInfo, "\(field).tracking_id")
    case .unspecified, .unrecognized: break
    }
    require(
      task.plannedLocation?.point != nil || task.type == .unavailable,
      "\(field).planned_location")
    requirePlace(task.plannedLocation?.point, "\(field).planned_location.point")
    require(
      task.taskDuration?.duration ?? .zero > .zero, "\(field).task_duration", "must be positive")
    requireDuration(task.taskDuration, "\(field).task_duration")
    requireUnset(except: Self.settable, in: task, field)
    requireTask(task, field)
  }

  /// The rules for the fields that CreateTask and UpdateTask set.
  mutating func requireTask(_ task: DeliveryTask, _ field: String) {
    if let window = task.targetTimeWindow {
      let field = "\(field).target_time_window"
      require(window.startTime != nil, "\(field).start_time")
      require(window.endTime != nil, "\(field).end_time")
      if let start = window.startTime, let end = window.endTime {
        require(start <= end, field, "ends before it starts")
      }
    }
    requireAttributes(task.attributes, "\(field).attributes")
    for (name, option) in task.taskTrackingViewConfig?.options ?? [] {
      switch option?.visibilityOption {
      case .always(false)?, .never(false)?:
        add("\(field).task_tracking_view_config.\(name)", "must not be false")
      default: break
      }
    }
  }
}

extension DeliveryTaskTrackingViewConfig {
  fileprivate var options: [(String, VisibilityOption?)] {
    [
      ("route_polyline_points_visibility", routePolylinePointsVisibility),
      ("estimated_arrival_time_visibility", estimatedArrivalTimeVisibility),
      ("estimated_task_completion_time_visibility", estimatedTaskCompletionTimeVisibility),
      ("remaining_driving_distance_visibility", remainingDrivingDistanceVisibility),
      ("remaining_stop_count_visibility", remainingStopCountVisibility),
      ("vehicle_location_visibility", vehicleLocationVisibility),
    ]
  }
}
