import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// GetTaskTrackingInfo: what the recipient of a shipment may see.
extension FleetEngine {
  func getTaskTrackingInfo(
    _ request: GetTaskTrackingInfoRequest, at now: Timestamp
  ) throws(EngineError) -> TaskTrackingInfo {
    let name = try ResourceName(checked: request.name, .taskTrackingInfo)
    let provider = self[provider: name.providerID]
    let tasks = (provider.shipments[name.id] ?? []).sorted().compactMap { id in
      provider.tasks[id].map { (id: id, stored: $0, task: $0.task) }
    }
    guard let shown = tasks.max(by: { $0.task.isLessRelevant(than: $1.task) }) else {
      throw .notFound(name)
    }
    let task = shown.task
    var info = TaskTrackingInfo(
      name: "\(name)", trackingId: task.trackingId, state: task.state,
      taskOutcome: task.taskOutcome, taskOutcomeTime: task.taskOutcomeTime,
      plannedLocation: task.plannedLocation, targetTimeWindow: task.targetTimeWindow,
      attributes: task.attributes)
    if let (vehicle, journey, index) = provider.journey(of: shown.stored, shown.id, at: now) {
      info.add(journey, through: index, of: shown.id)
      info.vehicleLocation = vehicle.vehicle.lastLocation?.answered(at: now)
      info.hide(by: task.taskTrackingViewConfig ?? DeliveryTaskTrackingViewConfig(), at: now)
    }
    return info
  }
}

extension DeliveryTask {
  /// Whether another task with the same tracking ID is shown. An open task precedes those that are closed, one with a
  /// vehicle those without, and the one that ended last the others.
  fileprivate func isLessRelevant(than other: DeliveryTask) -> Bool {
    func rank(_ task: DeliveryTask) -> (Int, Int, Timestamp) {
      (
        task.state == .open ? 1 : 0, task.deliveryVehicleId.isEmpty ? 0 : 1,
        task.taskOutcomeTime ?? Timestamp()
      )
    }
    return rank(self) < rank(other)
  }
}

extension TaskTrackingInfo {
  /// Adds the way to the stop of a task.
  fileprivate mutating func add(
    _ journey: DeliveryJourney, through index: Int, of task: String
  ) {
    let legs = journey.legs[...index]
    let stop = journey.legs[index].stop
    remainingStopCount = Int32(legs.count)
    let lengths = legs.compactMap(\.meters)
    if lengths.count == legs.count {
      remainingDrivingDistanceMeters = Int32(meters: lengths.reduce(0) { $0 + Double($1) })
    }
    for leg in legs {
      // Each path begins where the one before ends.
      let isContinued =
        routePolylinePoints.last != nil && routePolylinePoints.last == leg.path.first
      routePolylinePoints += leg.path.dropFirst(isContinued ? 1 : 0)
    }
    estimatedArrivalTime = journey.legs[index].arrival
    let place = stop.tasks.firstIndex { $0.taskId == task } ?? 0
    estimatedTaskCompletionTime = estimatedArrivalTime.map {
      $0 + stop.tasks.prefix(place + 1).duration
    }
  }

  /// Removes what the recipient may not see yet.
  fileprivate mutating func hide(by config: DeliveryTaskTrackingViewConfig, at now: Timestamp) {
    let (stops, meters) = (remainingStopCount ?? 0, remainingDrivingDistanceMeters)
    let time = estimatedArrivalTime.map { $0 - now }
    func isVisible(
      _ option: DeliveryTaskTrackingViewConfig.VisibilityOption?, nearOnly: Bool = false
    ) -> Bool {
      switch option?.visibilityOption {
      case .remainingStopCountThreshold(let limit)?: stops <= limit
      case .durationUntilEstimatedArrivalTimeThreshold(let limit)?:
        time.map { $0 <= limit.duration } ?? false
      case .remainingDrivingDistanceMetersThreshold(let limit)?: meters.map { $0 <= limit } ?? false
      case .always?: true
      case .never?: false
      // The default: the way is visible when at most five stops remain.
      case nil: !nearOnly || stops <= 5
      }
    }
    if !isVisible(config.routePolylinePointsVisibility, nearOnly: true) { routePolylinePoints = [] }
    if !isVisible(config.vehicleLocationVisibility, nearOnly: true) { vehicleLocation = nil }
    if !isVisible(config.estimatedArrivalTimeVisibility) { estimatedArrivalTime = nil }
    if !isVisible(config.estimatedTaskCompletionTimeVisibility) {
      estimatedTaskCompletionTime = nil
    }
    if !isVisible(config.remainingDrivingDistanceVisibility) {
      remainingDrivingDistanceMeters = nil
    }
    if !isVisible(config.remainingStopCountVisibility) { remainingStopCount = nil }
  }
}
