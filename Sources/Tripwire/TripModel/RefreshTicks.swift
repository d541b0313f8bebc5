import WireIO

/// Wakes trip models when their time has come, all of one tick together: so that their calls leave in
/// one write, and what comes back is read in one.
final class RefreshTicks: Sendable {
  private static let length = Duration.milliseconds(20)

  private struct Tick {
    var models: [ObjectIdentifier: TripModel] = [:]
    var timer: Task<Void, Never>?
  }

  let clock: any RefreshClock
  /// Where calls are made: the channel's own thread, as they cost least there.
  let executor: any TaskExecutor
  private let origin: ContinuousClock.Instant
  private let ticks = Locked<[Int64: Tick]>([:])
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
    ticks.withLock { ticks in
      ticks[number, default: Tick()].models[ObjectIdentifier(model)] = model
      if ticks[number]?.timer == nil { ticks[number]?.timer = timer(for: number) }
    }
    return number
  }

  func remove(_ model: TripModel, from number: Int64) {
    let timer = ticks.withLock { ticks in
      ticks[number]?.models[ObjectIdentifier(model)] = nil
      return ticks[number]?.models.isEmpty == true ? ticks.removeValue(forKey: number)?.timer : nil
    }
    timer?.cancel()
  }

  private func timer(for number: Int64) -> Task<Void, Never> {
    Task(executorPreference: executor) { [weak self, clock, instant = instant(of: number)] in
      guard (try? await clock.sleep(until: instant)) != nil else { return }
      self?.fire(number)
    }
  }

  private func fire(_ number: Int64) {
    let tick = ticks.withLock { $0.removeValue(forKey: number) }
    for model in tick?.models.values.map(\.self) ?? [] { model.wake(in: number) }
  }
}
