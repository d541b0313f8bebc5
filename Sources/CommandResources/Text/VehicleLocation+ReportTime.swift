import Tripwire

extension VehicleLocation {
  /// When the location was reported, in seconds since 1970: some time after the vehicle was there.
  package var reportTime: Int64? {
    guard let seen = updateTime ?? serverTime else { return nil }
    return seen.seconds.addingReportingOverflow(Int64(timeSinceUpdate ?? 0)).partialValue
  }
}
