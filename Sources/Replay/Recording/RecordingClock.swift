/// The time in a recording that is replayed.
///
/// The clock starts with the first request, at the time of its first occurrence in the recording.
struct RecordingClock {
  /// The speed relative to the recording; at least 1.
  let speed: Int
  /// Whether the clock starts again at the end.
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
  /// - Parameter sequence: the responses to the request.
  mutating func time(at now: ContinuousClock.Instant, for sequence: ResponseSequence) -> Duration {
    let began = self.began ?? (now, sequence.start, end - sequence.start + sequence.lastInterval)
    self.began = began
    var elapsed = began.instant.duration(to: now) * speed
    if loops, began.length > .zero {
      elapsed = Duration(attoseconds: elapsed.attoseconds % began.length.attoseconds)
    }
    return began.time + elapsed
  }
}
