import FleetEngineAPI
import RelayAPI
import Tripwire
import WireGRPC
import WireProtobuf

/// A resource that this worker polls: decides when to load, publish and resolve its state. Does no I/O.
final class SharedResource {
  /// How to continue when a state is due.
  enum Step: Hashable {
    case publish
    /// Find out first who published the last message.
    case resolve
  }

  /// How to continue when a publication failed.
  enum Reaction: Hashable {
    /// The state is published later.
    case wait(report: NATSError?)
    case resolve
    case findStreams(report: NATSError?)
    case publishWithoutResource(report: NATSError?)
  }

  private enum Phase {
    /// Reads the last message.
    case loading
    /// The last message could not be read.
    case loadFailed(retry: ContinuousClock.Instant)
    /// Polls, and publishes.
    case polling(any AnyResourceModel)
    /// Another worker publishes the resource, too: continues from its last message at this instant, if the
    /// resource is still this worker's.
    case yielding(until: ContinuousClock.Instant)
    /// The resource is final: it is announced and not polled.
    case over
  }

  private enum Publication {
    /// The stream has the present state.
    case done
    /// The state has to be published; not before an instant if that failed for a reason that lasts.
    case due(after: ContinuousClock.Instant?)
    /// A publication, or the lookup after a conflict, that has an ID. The state may have changed since.
    case inProgress(id: UInt64, isOutdated: Bool)
  }

  /// The last message of the resource in the stream.
  private struct LastMessage {
    /// Its number in the stream; 0 for none.
    var number: UInt64 = 0
    /// The `sequence` of its state.
    var sequence: UInt64 = 0
    var resource: EncodedResource?
    /// When the server confirmed the resource.
    var refreshed: ContinuousClock.Instant?
    /// Whether another message may have been stored since.
    var isUncertain = false
  }

  private static let pauseAfterFailure = Duration.seconds(5)
  private static let shortPause = Duration.seconds(1)

  let key: String
  let name: ResourceName
  private var phase = Phase.loading
  private var publication = Publication.done
  private var last = LastMessage()
  private var isOversizeReported = false
  /// Whether the last publication failed because no stream stores it.
  private var lacksStream = false

  init(key: String, name: ResourceName) {
    self.key = key
    self.name = name
  }

  /// Polls the resource; nil while it is not polled.
  var model: (any AnyResourceModel)? { if case .polling(let model) = phase { model } else { nil } }

  /// The number of the resource's last message in the stream; 0 for none.
  var lastMessage: UInt64 { last.number }

  var isPublishing: Bool { if case .inProgress = publication { true } else { false } }

  // MARK: Load and poll

  func isLoadDue(at now: ContinuousClock.Instant) -> Bool {
    switch phase {
    case .loadFailed(let end), .yielding(let end): end <= now
    case .loading, .polling, .over: false
    }
  }

  func startLoading() { phase = .loading }

  func loadFailed(at now: ContinuousClock.Instant) {
    if case .loading = phase { phase = .loadFailed(retry: now + Self.shortPause) }
  }

  /// Continues from the last state in the stream; nil if there is none.
  func adopt(_ found: LastState?) {
    last.number = found?.message ?? 0
    last.isUncertain = false
    if let found {
      last.sequence = max(last.sequence, found.state.sequence)
      last.resource = found.state.resource.map { EncodedResource($0.message) }
    }
  }

  func startPolling(_ model: any AnyResourceModel) {
    phase = .polling(model)
    last.refreshed = model.refreshed
  }

  /// Stops polling. If another worker polls the resource, loads its state at `end`.
  func stop(until end: ContinuousClock.Instant? = nil) {
    model?.unsubscribe(ObjectIdentifier(self))
    phase = end.map { .yielding(until: $0) } ?? .over
    publication = .done
  }

  /// NATS may have lost or stored messages while it was away.
  func reconnected(at now: ContinuousClock.Instant) {
    last.isUncertain = true
    if case .due = publication { publication = .due(after: nil) }
    if case .loadFailed = phase { phase = .loadFailed(retry: now) }
  }

  // MARK: Publish

  /// The state has changed, or has to be published again.
  func setChanged() {
    switch publication {
    case .done: publication = .due(after: nil)
    case .due: break
    case .inProgress(let id, _): publication = .inProgress(id: id, isOutdated: true)
    }
  }

  /// Whether an update has anything that is not published. The first one of a model has not.
  func isNews(_ update: RelayedUpdate) -> Bool {
    update.refreshed != last.refreshed || update.failure != nil || update.failureChanged
  }

  /// Publishes a poll that changed nothing if the last one that was published is older than a time.
  func renew(after time: Duration) {
    guard let model else { return }
    if last.isUncertain || isRenewalDue(model.refreshed, after: time) { setChanged() }
  }

  private func isRenewalDue(_ refreshed: ContinuousClock.Instant?, after time: Duration) -> Bool {
    guard let refreshed, refreshed != last.refreshed else { return false }
    return last.refreshed.map { refreshed - $0 > time } ?? true
  }

  /// Returns how to publish the state; nil if it is published or not due, or a message is on its way.
  func nextStep(at now: ContinuousClock.Instant) -> Step? {
    guard model != nil, case .due(let start) = publication, start.map({ $0 <= now }) ?? true else {
      return nil
    }
    return last.isUncertain ? .resolve : .publish
  }

  /// - Parameter id: unique in the worker.
  func beginPublication(_ id: UInt64) {
    publication = .inProgress(id: id, isOutdated: false)
  }

  func isPublishing(_ id: UInt64) -> Bool {
    if case .inProgress(id, _) = publication { true } else { false }
  }

  func published(_ new: NewState, in message: UInt64) {
    if case .inProgress(_, let isOutdated) = publication {
      publication = isOutdated ? .due(after: nil) : .done
    }
    last.number = message
    last.sequence = new.state.sequence
    last.resource = new.resource
    last.refreshed = new.refreshed
    lacksStream = false
    if new.resource != nil { isOversizeReported = false }
  }

  func publicationFailed(
    _ error: NATSError, of new: NewState, at now: ContinuousClock.Instant
  ) -> Reaction {
    publication = .due(after: nil)
    switch error.kind {
    case .wrongLastSequence: return .resolve
    case .noStream:
      publication = .due(after: now + Self.shortPause)
      // A stream has no leader for a moment while copies are added.
      defer { lacksStream = true }
      return .findStreams(report: lacksStream ? error : nil)
    case .disconnected, .timeout:
      last.isUncertain = true
      return .wait(report: error.kind == .timeout ? error : nil)
    case .tooLarge where !new.replacesOversize:
      // The next poll may return a smaller one.
      defer { isOversizeReported = true }
      return .publishWithoutResource(
        report: isOversizeReported
          ? nil
          : NATSError(
            .tooLarge, "\(name) cannot be published: \(error.message)", hint: error.hint))
    default:
      publication = .due(after: now + Self.pauseAfterFailure)
      return .wait(report: error)
    }
  }

  // MARK: Resolve

  /// Takes the last message, after a conflict. Yields if another worker published it.
  ///
  /// - Returns: whether this worker continues.
  func resolved(
    _ found: LastState?, worker: String, yieldingUntil end: ContinuousClock.Instant
  ) -> Bool {
    publication = .due(after: nil)
    let isOwn = found == nil || found?.state.worker == worker || found?.message == last.number
    adopt(found)
    if !isOwn { stop(until: end) }
    return isOwn
  }

  func resolutionFailed(at now: ContinuousClock.Instant) {
    publication = .due(after: now + Self.shortPause)
    last.isUncertain = true
  }

  // MARK: State

  /// Returns the state to publish; nil before the first response or error.
  ///
  /// - Parameters:
  ///   - oversize: why the whole resource cannot be published; nil if it can.
  ///   - streamTime: when the stream was created.
  func newState(
    without oversize: NATSError?, worker: String, streamTime: Timestamp,
    _ options: RelayWorkerOptions
  ) -> NewState? {
    guard let model else { return nil }
    let (known, failure, time) = (model.encoded, model.failure, StateTime.now)
    guard known != nil || failure != nil else { return nil }
    let resource = oversize == nil ? known : nil
    var state = ResourceState(
      name: name.description, changesOf: resource, since: last.resource, failure: failure,
      refreshed: model.refreshed, refreshInterval: options.trip.refreshInterval, at: time,
      redact: options.redact)
    state.worker = worker
    state.sequence = last.sequence + 1
    if name.kind == .trip {
      state.routeFormatType = options.trip.routeFormat
      state.view = options.trip.view
    }
    state.streamTime = streamTime
    if let oversize {
      let error = CallError(
        code: .resourceExhausted,
        message: "the \(name.kind.noun) is too large for the relay: \(oversize.message)",
        origin: .local)
      state.error = PollError(error, since: time.timestamp, count: 1)
      state.error?.isClientError = true
    }
    return NewState(
      state: state, resource: resource, refreshed: model.refreshed,
      replacesOversize: oversize != nil)
  }
}
