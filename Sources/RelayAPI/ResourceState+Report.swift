package import Tripwire
import WireGRPC
import WireProtobuf

extension ResourceState {
  /// Creates the state of a resource after a poll, without the resource itself; see
  /// ``EncodedResource/serializedBytes(in:)``. The worker, the sequence and the form of the request are the
  /// caller's.
  ///
  /// - Parameters:
  ///   - name: the name of the resource, as it was requested.
  ///   - resource: the resource with everything that is known; nil before the first response.
  ///   - previous: the resource of the preceding state, for ``changed``.
  ///   - failure: why the resource cannot be refreshed; nil if the poll returned it.
  ///   - refreshed: when the server last confirmed the resource.
  ///   - time: the present time.
  ///   - redact: masks credentials in the error; see ``PollError/init(_:since:count:redact:)``.
  package init(
    name: String, changesOf resource: EncodedResource?, since previous: EncodedResource?,
    failure: RefreshFailure?, refreshed: ContinuousClock.Instant?, refreshInterval: Duration,
    at time: StateTime, redact: (String) -> String = { $0 }
  ) {
    self.init(
      name: name, changed: resource?.changes(since: previous),
      error: failure.map {
        PollError(
          $0.error, since: time.timestamp(of: $0.since), count: $0.count,
          redact: redact)
      },
      pollTime: time.timestamp, refreshTime: refreshed.map(time.timestamp(of:)),
      refreshInterval: WireDuration(refreshInterval))
  }
}

extension ResourceState {
  /// Shorter intervals count as this one, because a state takes longer from the worker to its readers than a
  /// response takes to one process. So a resource is stale after three seconds or more.
  private static let shortestInterval = Duration.seconds(1)

  var readersInterval: Duration? {
    refreshInterval.map { max($0.bounded, Self.shortestInterval) }
  }

  /// Whether the state is so old that a poll must have failed to reach the reader since, or nobody polls. Its
  /// error then says nothing about the present.
  package func isOutdated(after age: Duration) -> Bool {
    age > (readersInterval ?? Self.shortestInterval) * 3
  }
}

extension ResourceReport {
  /// Creates the report of a state that was received at an instant. A state of another kind of resource is one
  /// without a resource.
  ///
  /// Times are compared with other times of the same clock only: `poll_time` with the other times of the
  /// worker, and `age` is added.
  init(_ state: ResourceState, received: ContinuousClock.Instant) {
    let age = state.age?.bounded ?? .zero
    let poll = state.pollTime
    let error = state.isOutdated(after: age) ? nil : state.error
    var failure = error.map { error in
      RefreshFailure(
        error: CallError(error, path: Resource.getMethod.path),
        since: received - age - (error.since == nil ? .zero : poll?.since(error.since) ?? .zero),
        count: max(1, Int(error.count)))
    }
    if let status = state.relayError {
      failure = RefreshFailure(error: CallError(relay: status), since: received)
    }
    self.init(
      resource: state.resource?.message as? Resource,
      age: age + (poll?.since(state.refreshTime) ?? .zero), failure: failure,
      refreshInterval: state.readersInterval,
      isSourceDisconnected: state.relayError != nil)
  }
}
