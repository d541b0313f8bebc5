/// The state of a loop that only its thread uses.
final class LoopState {
  let watches = PollSet()
  var timers = TimerHeap()
  /// The jobs being run. The storage is swapped with the queue's, so that it is allocated once.
  var jobs: [LoopJob] = []
  var endOfRound: [() -> Void] = []

  /// Runs the closures for the end of the round, including those that are added meanwhile.
  func runEndOfRound() {
    while !endOfRound.isEmpty {
      let bodies = endOfRound
      endOfRound = []
      for body in bodies { body() }
    }
  }

  /// The timeout for poll(2), rounded up so that the loop does not wake early; -1 without a timer.
  ///
  /// At most a minute: poll's clock stops while the machine sleeps, and the timers' clock does not.
  /// A minute also fits an `Int32`.
  func millisecondsToNextTimer(now: ContinuousClock.Instant) -> Int32 {
    guard let next = timers.next() else { return -1 }
    let left = now.duration(to: next)
    if left <= .zero { return 0 }
    if left >= .seconds(60) { return 60_000 }
    let (seconds, attoseconds) = left.components
    return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Fires the timers that are due, and returns whether there was one.
  ///
  /// The limit bounds timers that are added meanwhile and are already due. A timer that always adds
  /// another one therefore cannot starve the sockets.
  func fireTimers(now: ContinuousClock.Instant) -> Bool {
    let most = timers.count
    var fired = 0
    while fired < most, let timer = timers.popDue(now: now) {
      fired += 1
      timer.fire()
    }
    return fired > 0
  }

  func cancelAll() {
    watches.removeAll()
    for timer in timers.removeAll() { timer.cancel() }
    endOfRound = []
  }
}
