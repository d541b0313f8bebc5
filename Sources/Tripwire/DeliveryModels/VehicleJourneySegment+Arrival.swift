extension [VehicleJourneySegment] {
  /// Returns the estimated time of arrival at each stop: the start time plus the driving times and the
  /// durations of the tasks at earlier stops. Nil from the first unknown driving time on.
  ///
  /// - Parameters:
  ///   - now: the time of the estimates; nil if it is unknown.
  ///   - remaining: the time to the first stop, if it differs from the driving time of the segment.
  package func arrivals(from now: Timestamp?, remaining: WireDuration? = nil) -> [Timestamp?] {
    var time = now
    return enumerated().map { index, segment in
      let driving = (index == 0 ? remaining : nil) ?? segment.drivingDuration
      time = driving.flatMap { time?.adding($0) }
      let arrival = time
      for task in segment.stop?.tasks ?? [] {
        time = time?.adding(task.taskDuration ?? WireDuration())
      }
      return arrival
    }
  }
}
