/// Counts the states that are published, also those of resources that this worker no longer polls.
struct PublicationCounts: Sendable {
  /// The states that NATS has not confirmed.
  private(set) var pending = 0
  /// Since the start.
  private(set) var stored = 0
  /// Since the start, without those that another worker's message came before.
  private(set) var refused = 0
  /// From the publication of a state to the answer that it is stored.
  private(set) var times = DurationHistogram()

  mutating func begin() { pending += 1 }

  mutating func end(_ result: Result<UInt64, NATSError>, after time: Duration) {
    pending -= 1
    switch result {
    case .success:
      stored += 1
      times.add(time)
    case .failure(let error):
      if error.kind != .wrongLastSequence { refused += 1 }
    }
  }
}
