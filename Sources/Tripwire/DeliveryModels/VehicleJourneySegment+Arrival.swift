extension [VehicleJourneySegment] {
  /// Returns the estimated time of arrival at each stop, in seconds since 1970: the time of the estimates,
  /// the driving times, and the times of the tasks at the stops before. Nil if a term is unknown.
  package func arrivals(from now: Int64) -> [Int64?] {
    var time: Int64? = now
    return map { segment in
      time = sum(time, segment.drivingDuration)
      let arrival = time
      for task in segment.stop?.tasks ?? [] {
        time = sum(time, task.taskDuration ?? WireDuration())
      }
      return arrival
    }
  }
}

/// Nil if a term is unknown or out of range.
private func sum(_ time: Int64?, _ duration: WireDuration?) -> Int64? {
  guard let time, let duration else { return nil }
  let (sum, isOverflow) = time.addingReportingOverflow(duration.seconds)
  return isOverflow ? nil : sum
}
