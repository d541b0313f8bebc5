// Estimates where the driver's app reports nothing.

extension Duration {
  /// The time for a distance in meters at a usual speed, 8 m/s.
  static func driving(_ meters: Double) -> Duration { .seconds(meters / 8) }
}

extension Int32 {
  /// Rounds a distance. A request may have a path that is longer than the largest number.
  init(meters: Double) { self = Int32(Swift.min(Swift.max(0, meters.rounded()), 2_147_483_647)) }
}
