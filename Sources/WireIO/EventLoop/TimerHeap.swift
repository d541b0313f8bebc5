/// Timers in the order of their instants; equal instants in the order in which they were added.
///
/// A binary heap. Most timers are deadlines that are canceled. Canceled timers stay until they
/// reach the top, or until half of the entries may be canceled. Knows no clock: the time is a
/// parameter.
struct TimerHeap: ~Copyable {
  /// Separate from the timer, so that a comparison retains nothing. A number, because instants of
  /// the standard library are opaque and many times slower to move.
  private struct Place: Comparable {
    /// Since `start`, in units of 2^29 attoseconds, almost half a nanosecond.
    var time: Int64
    var order: UInt64

    static func < (one: Place, other: Place) -> Bool {
      one.time != other.time ? one.time < other.time : one.order < other.order
    }
  }

  private struct Entry {
    var place: Place
    /// The index of the timer, because to move an object counts its references.
    var slot: Int32
  }

  private let start = ContinuousClock.now
  private var entries: [Entry] = []
  private var timers: [LoopTimer?] = []
  private var freeSlots: [Int32] = []
  private var added: UInt64 = 0
  /// The number of entries at which canceled ones are removed.
  private var pruningCount = leastPruningCount
  private static let leastPruningCount = 64

  /// The number of timers, including some canceled ones.
  var count: Int { entries.count }

  /// The earliest instant; `nil` without a timer.
  mutating func next() -> ContinuousClock.Instant? {
    while let first = entries.first, let timer = timers[Int(first.slot)] {
      if !timer.isOver { return timer.instant }
      removeFirst()
    }
    return nil
  }

  mutating func add(at instant: ContinuousClock.Instant, _ body: @escaping () -> Void) -> LoopTimer
  {
    if entries.count >= pruningCount { prune() }
    let timer = LoopTimer(instant, body)
    entries.append(
      Entry(place: Place(time: time(of: instant), order: added), slot: newSlot(for: timer)))
    added += 1
    rise(from: entries.count - 1)
    return timer
  }

  /// Removes and returns the earliest timer that is due.
  mutating func popDue(now: ContinuousClock.Instant) -> LoopTimer? {
    while !entries.isEmpty, entries[0].place.time <= time(of: now) {
      if let timer = removeFirst(), !timer.isOver { return timer }
    }
    return nil
  }

  mutating func removeAll() -> [LoopTimer] {
    defer { (entries, timers, freeSlots) = ([], [], []) }
    return entries.compactMap { timers[Int($0.slot)] }
  }

  private func time(of instant: ContinuousClock.Instant) -> Int64 {
    // Clamped: instants centuries away need no order.
    Int64(clamping: start.duration(to: instant).attoseconds >> 29)
  }

  private mutating func prune() {
    for entry in entries where timers[Int(entry.slot)]?.isOver == true { _ = freeSlot(entry.slot) }
    entries.removeAll { [timers] in timers[Int($0.slot)] == nil }
    for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { sink(from: index) }
    pruningCount = max(Self.leastPruningCount, 2 * entries.count)
  }

  @discardableResult
  private mutating func removeFirst() -> LoopTimer? {
    entries.swapAt(0, entries.count - 1)
    let first = entries.removeLast()
    sink(from: 0)
    return freeSlot(first.slot)
  }

  private mutating func newSlot(for timer: LoopTimer) -> Int32 {
    guard let slot = freeSlots.popLast() else {
      timers.append(timer)
      return Int32(timers.count - 1)
    }
    timers[Int(slot)] = timer
    return slot
  }

  private mutating func freeSlot(_ slot: Int32) -> LoopTimer? {
    freeSlots.append(slot)
    return timers[Int(slot)].take()
  }

  private mutating func rise(from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard entries[index].place < entries[parent].place else { return }
      entries.swapAt(index, parent)
      index = parent
    }
  }

  private mutating func sink(from start: Int) {
    var index = start
    while true {
      var least = 2 * index + 1
      guard least < entries.count else { return }
      if least + 1 < entries.count, entries[least + 1].place < entries[least].place { least += 1 }
      guard entries[least].place < entries[index].place else { return }
      entries.swapAt(index, least)
      index = least
    }
  }
}
