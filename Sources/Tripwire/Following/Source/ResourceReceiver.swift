import WireIO

/// Asks a source for the followed resources of one kind and takes its reports, on a loop.
///
/// The loop is this actor's executor, as it is that of ``ResourcePoller``.
actor ResourceReceiver<Resource: FollowedResource> {
  typealias Received = PolledResource<Resource>
  typealias Report = ResourceReport<Resource>
  /// Makes the source follow a name, and returns a closure that stops it. Fails for a malformed name.
  typealias Follow =
    @Sendable (String, @escaping @Sendable (Report) -> Void) throws(ResourceNameError) ->
    @Sendable () -> Void

  /// A resource that is followed.
  private final class Entry {
    let resource: Received
    /// Stops the source; nil while the model is suspended.
    var stop: (@Sendable () -> Void)?
    /// Counts the times that the source was asked. Reports of earlier times are ignored.
    var round = 0
    var timer: (time: StoredInstant, LoopTimer)?

    init(_ resource: Received) {
      self.resource = resource
    }
  }

  nonisolated let clock: any RefreshClock
  private let follow: Follow
  private let loop: EventLoop
  private var entries: [ObjectIdentifier: Entry] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  init(
    loop: EventLoop, clock: any RefreshClock = ContinuousClock(), follow: @escaping Follow
  ) {
    self.follow = follow
    self.loop = loop
    self.clock = clock
  }

  private func take(_ resource: Received, _ outcome: Received.Outcome) {
    let id = ObjectIdentifier(resource)
    guard let entry = entries[id] else {
      guard resource.snapshot.state == .active else { return notify(outcome) }
      let entry = Entry(resource)
      entries[id] = entry
      return settle(entry, outcome)
    }
    notify(outcome)
    wake(entry)
  }

  // MARK: One resource

  private func wake(_ entry: Entry) {
    settle(entry, entry.resource.update { follower, now in follower.wake(now: now) })
  }

  /// Starts and stops the source and the timer to match the resource's new state.
  private func settle(_ entry: Entry, _ outcome: Received.Outcome) {
    notify(outcome)
    if !outcome.isActive { entries[ObjectIdentifier(entry.resource)] = nil }
    if outcome.wakeTime != entry.timer?.time {
      entry.timer?.1.cancel()
      entry.timer = outcome.wakeTime.map { ($0, timer(at: $0, for: entry)) }
    }
    if !outcome.isReceiving {
      stop(entry)
    } else if entry.stop == nil {
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
    let (resource, round) = (entry.resource, entry.round)
    do throws(ResourceNameError) {
      entry.stop = try follow(resource.name) { report in
        self.loop.execute { self.assumeIsolated { $0.finish(resource, round, report) } }
      }
    } catch {
      entry.stop = {}
      let failure = RefreshFailure(
        error: .malformedName(error, path: Resource.getMethod.path), since: clock.now)
      finish(resource, round, Report(resource: nil, failure: failure))
    }
  }

  private func stop(_ entry: Entry) {
    entry.round += 1
    entry.stop.take()?()
  }

  private func finish(_ resource: Received, _ round: Int, _ report: Report) {
    guard let entry = entries[ObjectIdentifier(resource)], entry.round == round else { return }
    settle(entry, resource.update { follower, now in follower.received(report, now: now) })
  }

  private func notify(_ outcome: Received.Outcome) {
    guard let model = outcome.model else { return }
    for reader in outcome.readers { reader.wake(model) }
  }

  /// Adapts to a resource that any thread has changed.
  nonisolated func resourceChanged(_ resource: Received, _ outcome: Received.Outcome) {
    loop.execute { self.assumeIsolated { $0.take(resource, outcome) } }
  }
}
