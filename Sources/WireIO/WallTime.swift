#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The time of day, which certificates and tokens are valid by. It may jump: nothing is measured
/// with it.
package enum WallTime {
  /// Seconds since 1970-01-01T00:00:00Z.
  package static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
