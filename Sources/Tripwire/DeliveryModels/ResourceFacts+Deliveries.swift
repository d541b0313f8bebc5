package import WireProtobuf

extension DeliveryVehicle {
  package func facts(at time: Timestamp?) -> ResourceFacts {
    var facts = ResourceFacts()
    facts.navigation = NamedValue(navigationStatus)
    facts.type = NamedValue(type)
    let segments = remainingVehicleJourneySegments
    facts.setStops(segments, segments.arrivals(from: time, remaining: remainingDuration))
    if !segments.isEmpty, let remainingDistanceMeters {
      facts.stops?[0].distanceMeters = remainingDistanceMeters
    }
    let next = segments.first?.stop
    facts.nextStop = next.map { .stop(StopIdentity($0)) } ?? .unknown("", index: 0)
    facts.isAtStop = next?.state == .arrived
    // The duration of the segment starts where the vehicle was when the stop was added, so it gives no current ETA.
    facts.eta = remainingDuration.flatMap { time?.adding($0) }
    facts.plannedETA = facts.stops?.first?.eta
    facts.remainingMeters = remainingDistanceMeters
    facts.attributes = attributes.map { NamedAttribute($0, older: $0.value) }
    return facts
  }
}

extension DeliveryTask {
  package func facts(at time: Timestamp?) -> ResourceFacts {
    var facts = ResourceFacts()
    facts.status = NamedValue(state)
    facts.setOutcome(taskOutcome, taskOutcomeTime)
    facts.type = NamedValue(type)
    facts.vehicleID = deliveryVehicleId
    facts.trackingID = trackingId
    facts.window = targetTimeWindow
    facts.place = plannedLocation?.point
    let segments = isFinal ? [] : journeySharingInfo?.remainingVehicleJourneySegments ?? []
    let arrivals = segments.arrivals(from: time)
    facts.setStops(segments, arrivals)
    facts.routeBeginsAtVehicle = true
    facts.isOnRoute = journeySharingInfo?.lastLocationSnappable ?? false
    facts.includesStopsOfOthers = true
    facts.isAtStop = segments.count == 1 && segments.first?.stop?.state == .arrived
    if isFinal || journeySharingInfo == nil { facts.stopCount = nil }
    // The last stop is that of the task.
    facts.eta = arrivals.last ?? nil
    facts.attributes = attributes.map { NamedAttribute($0) }
    return facts
  }
}

extension TaskTrackingInfo {
  package func facts(at time: Timestamp?) -> ResourceFacts {
    var facts = ResourceFacts()
    facts.status = NamedValue(state)
    facts.setOutcome(taskOutcome, taskOutcomeTime)
    facts.window = targetTimeWindow
    facts.stopCount = remainingStopCount
    facts.eta = estimatedArrivalTime
    facts.completionTime = estimatedTaskCompletionTime
    facts.remainingMeters = remainingDrivingDistanceMeters
    facts.place = plannedLocation?.point
    facts.legs = [RoutePath(routePolylinePoints, "")]
    facts.routeBeginsAtVehicle = true
    facts.attributes = attributes.map { NamedAttribute($0) }
    return facts
  }
}

extension ResourceFacts {
  fileprivate mutating func setStops(
    _ segments: [VehicleJourneySegment], _ arrivals: [Timestamp?]
  ) {
    stops = zip(segments, arrivals).map { segment, arrival in
      let stop = segment.stop ?? VehicleStop()
      return Stop(
        identity: StopIdentity(stop), state: stop.state, eta: arrival,
        distanceMeters: segment.drivingDistanceMeters, position: stop.plannedLocation?.point)
    }
    legs = segments.map { RoutePath($0.path, "") }
    stopCount = Int32(clamping: segments.count)
  }

  fileprivate mutating func setOutcome(_ value: DeliveryTask.TaskOutcome, _ time: Timestamp?) {
    outcome = NamedValue(value)
    outcomeTime = time
  }
}
