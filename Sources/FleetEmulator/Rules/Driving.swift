// Estimates where the driver's app reports nothing.

/// In meters per second.
let usualSpeed = 8.0

extension Duration {
  /// The time for a distance in meters at the usual speed.
  static func driving(_ meters: Double) -> Duration { .seconds(meters / usualSpeed) }
}

extension Int32 {
  /// Rounds a distance. A request may have a path that is longer than the largest number.
  init(meters: Double) { self = Int32(Swift.min(Swift.max(0, meters.rounded()), 2_147_483_647)) }
}
