/// The time of day, for the validity of certificates and tokens. It may jump, so no duration is
/// measured with it.
package enum WallTime {
  /// Seconds since 1970-01-01T00:00:00Z.
  package static var now: Double {
    let now = exact
    return Double(now.seconds) + Double(now.nanoseconds) / 1e9
  }

  /// The time since 1970-01-01T00:00:00Z in whole seconds and nanoseconds.
  package static var exact: (seconds: Int64, nanoseconds: Int32) {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return (Int64(time.tv_sec), Int32(time.tv_nsec))
  }
}
