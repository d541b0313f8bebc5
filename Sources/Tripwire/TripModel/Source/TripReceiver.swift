import WireIO

/// Asks a source for the followed trips and takes its reports, on a loop.
///
/// The loop is this actor's executor, as it is that of ``ResourcePoller``.
actor TripReceiver {
  /// A trip that is followed.
  private final class Entry {
    let trip: PolledResource<TripModel>
    /// Stops the source; nil while the model is suspended.
    var stop: (@Sendable () -> Void)?
    /// Counts the times that the source was asked. Reports of earlier times are ignored.
    var round = 0
    var timer: (time: StoredInstant, LoopTimer)?

    init(_ trip: PolledResource<TripModel>) {
      self.trip = trip
    }
  }

  nonisolated let clock: any RefreshClock
  private let source: any TripSource
  private let loop: EventLoop
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var isClosed = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  init(source: any TripSource, loop: EventLoop, clock: any RefreshClock = ContinuousClock()) {
    self.source = source
    self.loop = loop
    self.clock = clock
  }

  /// Stops following. The models stay as they are, and their trips become stale.
  func close() {
    isClosed = true
    for entry in entries.values { stop(entry) }
  }

  private func take(_ trip: PolledResource<TripModel>, _ outcome: PolledResource<TripModel>.Outcome)
  {
    let id = ObjectIdentifier(trip)
    guard let entry = entries[id] else {
      guard trip.snapshot.state == .active else { return notify(outcome) }
      let entry = Entry(trip)
      entries[id] = entry
      return settle(entry, outcome)
    }
    notify(outcome)
    wake(entry)
  }

  // MARK: One trip

  private func wake(_ entry: Entry) {
    settle(entry, entry.trip.update { follower, now in follower.wake(now: now) })
  }

  /// Starts and stops the source and the timer to match the trip's new state.
  private func settle(_ entry: Entry, _ outcome: PolledResource<TripModel>.Outcome) {
    notify(outcome)
    if !outcome.isActive { entries[ObjectIdentifier(entry.trip)] = nil }
    if outcome.wakeTime != entry.timer?.time {
      entry.timer?.1.cancel()
      entry.timer = outcome.wakeTime.map { ($0, timer(at: $0, for: entry)) }
    }
    if !outcome.isReceiving {
      stop(entry)
    } else if entry.stop == nil, !isClosed {
      start(entry)
    }
  }

  private func timer(at time: StoredInstant, for entry: Entry) -> LoopTimer {
    clock.schedule(at: time.instant, on: loop) {
      entry.timer = nil
      self.wake(entry)
    }
  }

  private func start(_ entry: Entry) {
    entry.round += 1
    let (trip, round) = (entry.trip, entry.round)
    do throws(ResourceNameError) {
      entry.stop = source.follow(try TripName(trip.name)) { report in
        self.loop.execute { self.assumeIsolated { $0.finish(trip, round, report) } }
      }
    } catch {
      entry.stop = {}
      let failure = TripFailure(
        error: .malformedName(error, path: TripServiceMethods.getTrip.path), since: clock.now)
      finish(trip, round, TripReport(trip: nil, failure: failure))
    }
  }

  private func stop(_ entry: Entry) {
    entry.round += 1
    entry.stop.take()?()
  }

  private func finish(_ trip: PolledResource<TripModel>, _ round: Int, _ report: TripReport) {
    guard let entry = entries[ObjectIdentifier(trip)], entry.round == round else { return }
    settle(
      entry, trip.update { follower, now in follower.received(ResourceReport(report), now: now) })
  }

  private func notify(_ outcome: PolledResource<TripModel>.Outcome) {
    guard let model = outcome.model else { return }
    for reader in outcome.readers { reader.wake(model) }
  }

  /// Adapts to a trip that any thread has changed.
  nonisolated func tripChanged(
    _ trip: PolledResource<TripModel>, _ outcome: PolledResource<TripModel>.Outcome
  ) {
    loop.execute { self.assumeIsolated { $0.take(trip, outcome) } }
  }
}
