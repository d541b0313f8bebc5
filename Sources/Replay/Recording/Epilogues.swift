import WireHTTP2

/// What follows the ends of answers, by itself, in the order in which it is due.
struct Epilogues {
  private struct Rest {
    let due: ContinuousClock.Instant
    let stream: StreamID
    let playback: Playback
  }

  /// No more than so many wait on a connection: what follows the answers of others is left out.
  private static let limit = 10_000

  /// From `start` on; what is due first comes first.
  private var waiting: [Rest] = []
  private var start = 0

  /// When the next is due; nil when there is none.
  var due: ContinuousClock.Instant? { start < waiting.count ? waiting[start].due : nil }

  mutating func add(_ playback: Playback, on stream: StreamID) {
    guard let due = playback.due, waiting.count - start < Self.limit else { return }
    // Behind those that are due at the same time.
    var (low, high) = (start, waiting.count)
    if let last = waiting.last, last.due <= due { low = high }
    while low < high {
      let middle = (low + high) / 2
      if waiting[middle].due <= due { low = middle + 1 } else { high = middle }
    }
    waiting.insert(Rest(due: due, stream: stream, playback: playback), at: low)
  }

  /// The next, if it is time.
  mutating func next(now: ContinuousClock.Instant) -> (StreamID, Answer.Step.Signal)? {
    while let due, due <= now {
      let rest = waiting[start]
      start += 1
      if 2 * start > waiting.count {
        waiting.removeFirst(start)
        start = 0
      }
      // A call that is over has nothing else to say.
      guard case .signal(let signal) = rest.playback.say(now: now) else { continue }
      add(rest.playback, on: rest.stream)
      return (rest.stream, signal)
    }
    return nil
  }
}
