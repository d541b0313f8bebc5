import WireSystem

/// Wakes trip models when their time has come, all of one tick together: so that their calls leave in
/// one write, and what comes back is read in one.
final class RefreshTicks: Sendable {
  private static let length = Duration.milliseconds(20)

  private struct State {
    var ticks: [Int64: [ObjectIdentifier: TripModel]] = [:]
    /// Waits for the first of them, or for one before it that was taken back.
    var timer: (tick: Int64, task: Task<Void, Never>)?
  }

  let clock: any RefreshClock
  /// Where calls are made: the channel's own thread, as they cost least there.
  let executor: any TaskExecutor
  private let origin: ContinuousClock.Instant
  private let state = Locked(State())
  /// The readers there is news for, with the models that have it.
  private let awaited = Locked<[(TripSubscription, TripModel)]>([])
  /// The tick in which first polls begin at present, and how many do.
  private let first = Locked<(tick: Int64, count: Int)>((0, 0))
  private static let mostFirst = 32

  init(clock: any RefreshClock, executor: any TaskExecutor) {
    self.clock = clock
    self.executor = executor
    origin = clock.now
  }

  /// When the first poll of a trip is to begin: now, unless those of very many others do. Their
  /// answers all at once would take much memory.
  func placeForFirst(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let present = number(of: now)
    let place = first.withLock { first in
      if first.tick < present { first = (present, 0) }
      if first.count == Self.mostFirst { first = (first.tick + 1, 0) }
      first.count += 1
      return first.tick
    }
    return place == present ? now : instant(of: place)
  }

  /// The first tick that is not before the instant.
  private func number(of instant: ContinuousClock.Instant) -> Int64 {
    Int64(((instant - origin) / Self.length).rounded(.up))
  }

  private func instant(of tick: Int64) -> ContinuousClock.Instant {
    origin + Self.length * Double(tick)
  }

  /// Wakes a model in the first tick that is not before the instant. The model lives until then.
  ///
  /// - Returns: the tick, to be taken back with ``remove(_:from:)``.
  func add(_ model: TripModel, at instant: ContinuousClock.Instant) -> Int64 {
    let number = number(of: instant)
    let replaced = state.withLock { state in
      state.ticks[number, default: [:]][ObjectIdentifier(model)] = model
      return wait(for: number, &state)
    }
    replaced?.cancel()
    return number
  }

  func remove(_ model: TripModel, from number: Int64) {
    let timer = state.withLock { state in
      state.ticks[number]?[ObjectIdentifier(model)] = nil
      if state.ticks[number]?.isEmpty == true { state.ticks[number] = nil }
      return state.ticks.isEmpty ? state.timer.take()?.task : nil
    }
    timer?.cancel()
  }

  /// Waits for a tick, unless an earlier one is waited for. Returns the task that waits for a later one.
  private func wait(for number: Int64, _ state: inout State) -> Task<Void, Never>? {
    if let timer = state.timer, timer.tick <= number { return nil }
    let task = Task(executorPreference: executor) {
      [weak self, clock, instant = instant(of: number)] in
      guard (try? await clock.sleep(until: instant)) != nil else { return }
      self?.fire(number)
    }
    defer { state.timer = (number, task) }
    return state.timer?.task
  }

  private func fire(_ number: Int64) {
    let models = state.withLock { state in
      if state.timer?.tick == number { state.timer = nil }
      let models = state.ticks.removeValue(forKey: number)
      if let next = state.ticks.keys.min() { _ = wait(for: next, &state) }
      return models
    }
    for model in models?.values.map(\.self) ?? [] { model.wake(in: number) }
  }

  // MARK: News

  /// Has readers look into their mailboxes, all those together for whom there is news in the answers
  /// that have come by now: to wake the thread of a reader costs as much as a poll.
  func wake(_ readers: [TripSubscription], of model: TripModel) {
    guard !readers.isEmpty else { return }
    let isFirst = awaited.withLock { awaited in
      defer { awaited += readers.map { ($0, model) } }
      return awaited.isEmpty
    }
    guard isFirst else { return }
    // Those answers are taken by tasks that are queued before this one.
    Task(executorPreference: executor) {
      let readers = self.awaited.withLock { awaited in
        defer { awaited = [] }
        return awaited
      }
      for (reader, model) in readers { reader.wake(model) }
    }
  }
}
