import FleetEngineAPI
import RelayAPI
import Tripwire
import WireGRPC
import WireProtobuf

/// A resource that a worker polls and publishes, with what is in its states.
final class PublishedResource {
  private static let longestPause = Duration.seconds(600)

  /// Unique in the worker.
  let id: UInt64
  /// The `term` of the states. Unique in the worker, and a new one each time when polls begin.
  var term: UInt64
  let key: String
  let name: ResourceName
  var publication: ResourcePublication
  /// Polls the resource; nil while it is not polled.
  var model: (any AnyResourceModel)?
  /// The number of consecutive failures after which the next poll was delayed.
  private var delayedFailures = 0
  /// The resource that another worker published last, until this one polls it. Not its state, because a
  /// `ResourceState` takes 1.8 KB, also while it is nil.
  private var seed: ResourceSeed?
  /// The resource in the last state in the stream.
  private var published: EncodedResource?

  init(id: UInt64, key: String, name: ResourceName, at now: ContinuousClock.Instant) {
    self.id = id
    term = id
    self.key = key
    self.name = name
    publication = ResourcePublication(at: now)
  }

  /// Takes the last state in the stream.
  func adopt(_ last: LastState?, _ clock: ServerClock, at now: StateTime) {
    published = last?.state.resource.map { EncodedResource($0.message) }
    if model == nil { seed = last.flatMap { ResourceSeed($0, clock, at: now) } }
  }

  /// Starts to poll from the last state.
  func start(_ model: any AnyResourceModel) {
    if let seed = seed.take() { model.take(seed) }
    self.model = model
    delayedFailures = 0
  }

  func stop() {
    model?.unsubscribe(ObjectIdentifier(self))
    model = nil
  }

  /// The state with the message was stored.
  func stored(_ new: NewState) { published = new.resource }

  /// Returns the time since the poll that was due before `now`, for which there is no response yet; zero or less if
  /// there is none.
  func lateness(interval: Duration, at now: ContinuousClock.Instant) -> Duration {
    guard let begin = publication.pollingSince else { return .zero }
    guard let model else { return now - begin - ResourcePublication.pollDelay }
    let status = model.pollStatus
    // After an error of the server, the next poll may be delayed on purpose.
    if let failure = status.failure, failure.error.origin == .server {
      return status.next.map { now - $0 } ?? .zero
    }
    // The last poll may be that of a worker that died.
    return now - max(status.refreshed ?? begin, begin) - interval
  }

  /// Takes note of the polls without an update.
  func check(_ options: RelayWorkerOptions, at now: ContinuousClock.Instant) {
    guard let status = model?.pollStatus else { return }
    if let poll = status.last { publication.renew(poll, after: options.renewal, at: now) }
    delayIfNotFound(status, interval: options.trip.refreshInterval, at: now)
  }

  /// Delays the next poll of a resource that does not exist. The pauses double, from the interval to ten minutes.
  private func delayIfNotFound(
    _ status: PollStatus, interval: Duration, at now: ContinuousClock.Instant
  ) {
    guard let failure = status.failure, failure.error.code == .notFound else {
      delayedFailures = 0
      return
    }
    guard failure.count > delayedFailures, status.next != nil else { return }
    delayedFailures = failure.count
    let pause = interval * (1 << min(failure.count - 1, 16))
    model?.delayPoll(until: now + min(pause, max(interval, Self.longestPause)))
  }

  /// Returns the state in a message.
  func newState(
    for message: ResourcePublication.Message, worker: String, streamTime: Timestamp,
    _ options: RelayWorkerOptions, at time: StateTime
  ) -> NewState {
    let resource = message.oversize == nil ? model?.encoded : nil
    let status = model?.pollStatus
    var state = ResourceState(
      name: name.description, changesOf: resource, since: published, failure: status?.failure,
      refreshed: status?.refreshed, refreshInterval: options.trip.refreshInterval, at: time,
      redact: options.redact)
    state.worker = worker
    state.term = term
    state.sequence = message.sequence
    state.polledAfter = message.polledAfter
    state.streamTime = streamTime
    if name.kind == .trip {
      state.routeFormatType = options.trip.routeFormat
      state.view = options.trip.view
    }
    if let oversize = message.oversize { state.error = error(oversize, at: time) }
    return NewState(
      bytes: resource?.serializedBytes(in: state) ?? state.serializedBytes(), resource: resource,
      polled: status?.last?.ended)
  }

  private func error(_ oversize: NATSError, at time: StateTime) -> PollError {
    let error = CallError(
      code: .resourceExhausted,
      message: "the \(name.kind.noun) is too large for the relay: \(oversize.message)",
      origin: .local)
    var result = PollError(error, since: time.timestamp, count: 1)
    result.isClientError = true
    return result
  }
}

/// A state to publish.
struct NewState {
  let bytes: [UInt8]
  /// Nil if it is not known, or too large.
  let resource: EncodedResource?
  /// When the poll of the resource ended; nil if this worker has not polled it.
  let polled: ContinuousClock.Instant?
}
