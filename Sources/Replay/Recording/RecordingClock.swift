/// What time it is in a recording that is played.
///
/// It starts with the first request, at the time at which that was first asked for in the recording.
struct RecordingClock {
  /// How much faster than it was recorded; at least 1.
  let speed: Int
  /// Whether it begins again at the end.
  let loops: Bool
  /// When the recording ends, since 1970.
  let end: Duration
  private var began: (instant: ContinuousClock.Instant, time: Duration, length: Duration)?

  init(speed: Int, loops: Bool, end: Duration) {
    self.speed = speed
    self.loops = loops
    self.end = end
  }

  /// Since 1970.
  ///
  /// - Parameter tape: what is asked for.
  mutating func time(at now: ContinuousClock.Instant, for tape: Tape) -> Duration {
    let began = self.began ?? (now, tape.start, end - tape.start + tape.lastInterval)
    self.began = began
    var elapsed = began.instant.duration(to: now) * speed
    if loops, began.length > .zero {
      elapsed = Duration(attoseconds: elapsed.attoseconds % began.length.attoseconds)
    }
    return began.time + elapsed
  }
}
