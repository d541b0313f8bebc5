extension [VehicleJourneySegment] {
  /// Returns the estimated time of arrival at each stop: the time of the estimates, the driving times, and the
  /// times of the tasks at the stops before. Nil if a term is unknown.
  ///
  /// - Parameter remaining: the time to the first stop, if it differs from the driving time of the segment.
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
