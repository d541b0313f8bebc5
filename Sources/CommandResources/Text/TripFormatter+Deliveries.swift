import CommandShell
import Tripwire
import WireProtobuf

extension TripFormatter {
  /// Returns "succeeded, 14:32:01".
  func outcome(_ facts: ResourceFacts) -> String? {
    words(facts.outcome).map { $0 + (time(facts.outcomeTime).map { ", \($0)" } ?? "") }
  }

  /// Returns "from 14:00:00 to 16:00:00".
  func window(_ window: TimeWindow?) -> String? {
    joined(
      [
        time(window?.startTime).map { "from \($0)" }, time(window?.endTime).map { "to \($0)" },
      ], by: " ")
  }

  /// Returns a line for each stop, in columns, with the estimated time of arrival.
  ///
  /// - Parameter vehicle: the vehicle on its way to the first stop. Only its own distance and time change
  ///   while it drives there.
  func stops(_ segments: [VehicleJourneySegment], of vehicle: DeliveryVehicle? = nil) -> [String] {
    let arrivals = segments.arrivals(
      from: Timestamp(seconds: clock.now), remaining: vehicle?.remainingDuration)
    return aligned(
      zip(segments, arrivals).enumerated().map { index, element in
        let (segment, arrival) = element
        let stop = segment.stop
        let vehicle = index == 0 ? vehicle : nil
        let meters = vehicle?.remainingDistanceMeters ?? segment.drivingDistanceMeters
        return [
          String(index + 1),
          stop.flatMap { words($0.state) } ?? TextTable.unset,
          point(stop?.plannedLocation?.point ?? segment.path.last) ?? TextTable.unset,
          distance(meters) ?? TextTable.unset,
          duration(vehicle?.remainingDuration ?? segment.drivingDuration) ?? TextTable.unset,
          time(arrival).map { "ETA about \($0)" } ?? TextTable.unset,
          (stop?.tasks ?? []).map { task in
            "task \(task.taskId)" + (window(task.targetTimeWindow).map { " (\($0))" } ?? "")
          }.joined(separator: ", "),
        ]
      })
  }
}
