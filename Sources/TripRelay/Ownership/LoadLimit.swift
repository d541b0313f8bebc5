import Tripwire

/// Limits the number of resources of a worker whose polls are late, while another worker has room. Knows no clock.
struct LoadLimit: Sendable {
  /// The part that is given away each time.
  private static let shedding = 8
  /// How long polls must be on time before the limit rises.
  private static let patience = Duration.seconds(30)

  private let largest: Int
  /// The largest number of resources at present.
  private(set) var capacity: Int
  /// When the limit may change next.
  private var next: ContinuousClock.Instant?

  init(capacity: Int) {
    largest = capacity
    self.capacity = capacity
  }

  /// - Parameters:
  ///   - lateness: of the latest poll.
  ///   - interval: the time between two polls of a resource.
  ///   - owned: the number of resources.
  ///   - canOthersTake: whether another worker has room and is not late.
  mutating func update(
    lateness: Duration, interval: Duration, owned: Int, canOthersTake: Bool,
    at now: ContinuousClock.Instant
  ) {
    guard PollStatus.isLate(lateness, interval: interval), canOthersTake else {
      raise(at: now)
      return
    }
    // No further resources, and fewer when the last change had time to take effect.
    capacity = min(capacity, owned)
    if let next, now < next { return }
    capacity = max(1, owned - max(1, owned / Self.shedding))
    next = now + max(interval * 2, .seconds(4))
  }

  /// Whether there may be fewer resources than the worker can have.
  var isLimited: Bool { capacity < largest }

  /// Makes room for resources that no other worker takes: late polls are better than none.
  mutating func makeRoom(for unowned: Int, owned: Int) {
    guard unowned > 0 else { return }
    capacity = min(largest, max(capacity, owned + unowned))
  }

  private mutating func raise(at now: ContinuousClock.Instant) {
    guard isLimited else { return }
    guard let next, now >= next + Self.patience else { return }
    capacity = min(largest, capacity + max(1, capacity / Self.shedding))
    self.next = now
  }
}
