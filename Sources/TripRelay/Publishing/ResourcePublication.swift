import Tripwire

/// Decides when a worker polls one of its resources, and what it stores in the stream. Knows no clock and no I/O.
///
///               found               final state stored
///     reading ──────────► owning ───────────────────────► over
///        ▲                  │
///        │ end              │ another worker's message was found
///        └─── yielding ◄────┘
///
/// A worker reads the last message of the resource, polls from there, and publishes what changes. If NATS takes longer
/// than ``pollDelay``, it polls before. Each message names the last one that it replaces, so that a worker notices
/// another one. Readers do not depend on that: a message also says which message was in the stream before the poll.
struct ResourcePublication: Sendable {
  enum Command: Sendable, Hashable {
    /// Read the last message of the resource, and call `found` or `readFailed`.
    case read
    case poll
    /// Stop polling.
    case stop
    /// Store a message, and call `stored` or `storeFailed`.
    case store(Message)
    /// The streams may have been deleted: find out which exist.
    case findStreams
    /// The resource is final, and its last state is stored: remove the poll request.
    case withdraw
    case report(NATSError)
  }

  /// A message to store.
  struct Message: Sendable, Hashable {
    /// The `sequence` of the state. Each attempt has a new one.
    let sequence: UInt64
    /// The `polled_after` of the state.
    let polledAfter: UInt64
    /// The number of the resource's last message in the stream; 0 for none.
    let last: UInt64
    /// The error of a state that is too large for NATS, and replaces it.
    let oversize: NATSError?
  }

  /// The last message of the resource in the stream.
  struct Found: Sendable, Hashable {
    let number: UInt64
    let sequence: UInt64
    /// Whether this worker stored it, since it began to poll the resource.
    let isOwn: Bool
    let isFinal: Bool
  }

  /// The time to wait for NATS before the first poll.
  static let pollDelay = Duration.milliseconds(500)
  private static let pauseAfterFailure = Duration.seconds(5)
  private static let shortPause = Duration.seconds(1)

  private enum Request {
    case due(ContinuousClock.Instant)
    case sent
  }

  private enum Output {
    /// The stream has the present state.
    case done
    /// The state has to be published; not before an instant if that failed for a reason that lasts.
    case due(ContinuousClock.Instant, oversize: NATSError? = nil)
    /// The state may have changed since.
    case storing(sequence: UInt64, isOutdated: Bool)
    /// Another message may have been stored: the last one is read, and then the state is published.
    case unverified(Request)
  }

  private enum Phase {
    case reading(Request)
    case owning(Output)
    case yielding(until: ContinuousClock.Instant)
    case over(isWithdrawn: Bool)
  }

  private struct KnownMessage {
    var number: UInt64 = 0
    var since: ContinuousClock.Instant?
  }

  private var phase: Phase
  private var isPolling = false
  /// When polls begin without an answer of NATS.
  private var pollTime: ContinuousClock.Instant
  /// The last message; 0 for none.
  private var last: UInt64 = 0
  private var sequence: UInt64 = 0
  /// The latest messages of the stream that were known, and since when.
  private var known = (latest: KnownMessage(), previous: KnownMessage())
  /// The `polled_after` of the resource that was polled last.
  private var polledAfter: UInt64 = 0
  /// When the last poll ended that was published.
  private var published: ContinuousClock.Instant?
  /// Whether there was an update before the last message was read.
  private var hasUpdate = false
  /// A problem to report.
  private var problem: NATSError?
  private var mustFindStreams = false
  private var isOversizeReported = false
  /// Whether the last publication failed because no stream stores it.
  private var lacksStream = false

  init(at now: ContinuousClock.Instant) {
    phase = .reading(.due(now))
    pollTime = now + Self.pollDelay
  }

  /// When this worker took the resource from another one; nil if another one polls the resource, or it is over.
  var pollingSince: ContinuousClock.Instant? {
    switch phase {
    case .reading, .owning: pollTime - Self.pollDelay
    case .yielding, .over: nil
    }
  }

  // MARK: Commands

  /// Returns the next thing to do; nil if there is none at present.
  ///
  /// - Parameter isConnected: whether NATS is connected, and its streams are known. Evaluated only for a request that
  ///   is due, because this is called several times a second for each resource.
  mutating func next(
    at now: ContinuousClock.Instant, isConnected: @autoclosure () -> Bool
  ) -> Command? {
    if let error = problem.take() { return .report(error) }
    if mustFindStreams {
      mustFindStreams = false
      return .findStreams
    }
    return nextPolling(now) ?? (isRequestDue(now) && isConnected() ? nextRequest(now) : nil)
  }

  private mutating func nextPolling(_ now: ContinuousClock.Instant) -> Command? {
    let polls =
      switch phase {
      case .reading: isPolling || now >= pollTime
      case .owning: true
      case .yielding, .over: false
      }
    guard polls != isPolling else { return nil }
    isPolling = polls
    return polls ? .poll : .stop
  }

  private func isRequestDue(_ now: ContinuousClock.Instant) -> Bool {
    switch phase {
    case .yielding(let time), .reading(.due(let time)), .owning(.unverified(.due(let time))),
      .owning(.due(let time, _)):
      time <= now
    case .over(let isWithdrawn): !isWithdrawn
    case .reading(.sent), .owning(.done), .owning(.storing), .owning(.unverified(.sent)): false
    }
  }

  /// Returns the request that is due.
  private mutating func nextRequest(_ now: ContinuousClock.Instant) -> Command? {
    switch phase {
    case .yielding:
      pollTime = now + Self.pollDelay
      phase = .reading(.sent)
      return .read
    case .reading(.due):
      phase = .reading(.sent)
      return .read
    case .owning(.unverified(.due)):
      phase = .owning(.unverified(.sent))
      return .read
    case .owning(.due(_, let oversize)):
      sequence += 1
      phase = .owning(.storing(sequence: sequence, isOutdated: false))
      return .store(
        Message(sequence: sequence, polledAfter: polledAfter, last: last, oversize: oversize))
    case .over(isWithdrawn: false):
      phase = .over(isWithdrawn: true)
      return .withdraw
    default: return nil
    }
  }

  /// Finds the latest message that was known when the last poll began. Each poll is after the messages of the one
  /// before, too.
  private mutating func polled(from began: ContinuousClock.Instant) {
    if let since = known.latest.since, since <= began {
      polledAfter = max(polledAfter, known.latest.number)
    } else if let since = known.previous.since, since <= began {
      polledAfter = max(polledAfter, known.previous.number)
    }
  }

  private mutating func know(_ number: UInt64, at now: ContinuousClock.Instant) {
    last = number
    known = (KnownMessage(number: number, since: now), known.latest)
  }

  // MARK: The last message

  /// Takes the last message that was read; nil if there is none.
  ///
  /// - Parameter pause: how long to leave the resource to another worker.
  mutating func found(
    _ found: Found?, yieldingFor pause: Duration, at now: ContinuousClock.Instant
  ) {
    sequence = max(sequence, found?.sequence ?? 0)
    switch phase {
    case .reading(.sent):
      know(found?.number ?? 0, at: now)
      if found?.isFinal == true {
        phase = .over(isWithdrawn: false)
      } else {
        phase = .owning(hasUpdate ? .due(now) : .done)
        hasUpdate = false
      }
    case .owning(.unverified(.sent)):
      know(found?.number ?? 0, at: now)
      if found == nil { mustFindStreams = true }
      if found?.isFinal == true {
        phase = .over(isWithdrawn: false)
      } else if found.map(\.isOwn) ?? true {
        phase = .owning(.due(now))
      } else {
        phase = .yielding(until: now + pause)
        (polledAfter, published) = (0, nil)
      }
    default: break
    }
  }

  mutating func readFailed(at now: ContinuousClock.Instant) {
    switch phase {
    case .reading(.sent): phase = .reading(.due(now + Self.shortPause))
    case .owning(.unverified(.sent)): phase = .owning(.unverified(.due(now + Self.shortPause)))
    default: break
    }
  }

  /// The stream was created again, so that its numbers begin at 1.
  mutating func streamLost(at now: ContinuousClock.Instant) {
    last = 0
    known = (KnownMessage(), KnownMessage())
    polledAfter = 0
    if case .owning = phase { phase = .owning(.unverified(.due(now))) }
  }

  /// NATS may have lost or stored messages while it was away.
  mutating func reconnected(at now: ContinuousClock.Instant) {
    switch phase {
    case .reading(.due): phase = .reading(.due(now))
    case .owning(.done), .owning(.due), .owning(.unverified(.due)):
      phase = .owning(.unverified(.due(now)))
    case .owning, .reading, .yielding, .over: break
    }
  }

  // MARK: Publish

  /// The resource or the error of its polls has changed.
  ///
  /// - Parameters:
  ///   - began: when the poll of the resource began; nil if another worker polled it.
  ///   - hasFailure: whether the last poll failed, or the one before.
  mutating func updated(
    pollBegan began: ContinuousClock.Instant?, hasFailure: Bool, at now: ContinuousClock.Instant
  ) {
    // The first update of a model has what it began with.
    guard began != nil || hasFailure else { return }
    if let began { polled(from: began) }
    setChanged(now)
  }

  private mutating func setChanged(_ now: ContinuousClock.Instant) {
    switch phase {
    case .reading: hasUpdate = true
    case .owning(.done): phase = .owning(.due(now))
    case .owning(.storing(let sequence, _)):
      phase = .owning(.storing(sequence: sequence, isOutdated: true))
    case .owning(.due), .owning(.unverified), .yielding, .over: break
    }
  }

  /// Publishes a poll that changed nothing if it is the first one of this worker, or the last one that was
  /// published is older than a time.
  mutating func renew(
    _ poll: (began: ContinuousClock.Instant, ended: ContinuousClock.Instant), after time: Duration,
    at now: ContinuousClock.Instant
  ) {
    polled(from: poll.began)
    if let published {
      guard poll.ended > published, poll.ended - published > time else { return }
    }
    setChanged(now)
  }

  /// NATS stored a message.
  ///
  /// - Parameters:
  ///   - polled: when the poll of the resource in it ended; nil if it has none, or another worker's.
  ///   - isFinal: whether the resource in it is final.
  mutating func stored(
    _ message: Message, as number: UInt64, polled: ContinuousClock.Instant?, isFinal: Bool,
    at now: ContinuousClock.Instant
  ) {
    guard case .owning(.storing(message.sequence, let isOutdated)) = phase else { return }
    phase = isFinal ? .over(isWithdrawn: false) : .owning(isOutdated ? .due(now) : .done)
    // Numbers grow within a stream.
    if number <= last { mustFindStreams = true }
    know(number, at: now)
    published = polled ?? published
    lacksStream = false
    if message.oversize == nil { isOversizeReported = false }
  }

  mutating func storeFailed(
    _ message: Message, _ error: NATSError, at now: ContinuousClock.Instant
  ) {
    guard case .owning(.storing(message.sequence, _)) = phase else { return }
    phase = .owning(output(after: error, of: message, now))
  }

  private mutating func output(
    after error: NATSError, of message: Message, _ now: ContinuousClock.Instant
  ) -> Output {
    switch error.kind {
    case .wrongLastSequence, .disconnected: return .unverified(.due(now))
    case .timeout:
      problem = error
      return .unverified(.due(now))
    case .noStream:
      mustFindStreams = true
      // A stream has no leader for a moment while copies are added.
      if lacksStream { problem = error }
      lacksStream = true
      return .due(now + Self.shortPause)
    case .tooLarge where message.oversize == nil:
      // The next poll may return a smaller one.
      if !isOversizeReported { problem = error }
      isOversizeReported = true
      return .due(now, oversize: error)
    default:
      problem = error
      return .due(now + Self.pauseAfterFailure)
    }
  }
}
