import WireSystem

/// A time on two clocks: the wall clock, which tokens refer to, and one that cannot be set.
package struct TokenTime: Sendable {
  /// Seconds since 1970-01-01T00:00:00Z. Jumps when the clock is set.
  var wall: Double
  /// Seconds since an arbitrary start. Never jumps, and advances while the machine sleeps.
  package var uptime: Double

  package static var now: TokenTime {
    TokenTime(wall: WallTime.now, uptime: (ContinuousClock.now - start) / .seconds(1))
  }

  private static let start = ContinuousClock.now
}
