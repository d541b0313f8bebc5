import RelayAPI
import Tripwire

/// The part of an update that a worker needs.
struct RelayedUpdate {
  /// When the poll of the resource began; nil if another worker polled it.
  let pollBegan: ContinuousClock.Instant?
  let failure: RefreshFailure?
  let failureChanged: Bool
}

/// A resource that another worker published.
struct ResourceSeed {
  let resource: any FleetMessage
  let requestOptions: TripRequestOptions
  /// When Fleet Engine confirmed it.
  let refreshed: ContinuousClock.Instant

  /// Returns nil for a state without a resource.
  init?(_ last: LastState, _ clock: ServerClock, at now: StateTime) {
    guard let resource = last.state.resource?.message else { return nil }
    self.resource = resource
    requestOptions = last.state.requestOptions
    refreshed = clock.instant(of: last.confirmed, at: now)
  }
}

extension AnyResourceModel {
  /// The resource as it was last received; nil before the first response.
  var encoded: EncodedResource? { typed.current.map { EncodedResource($0) } }

  /// Starts from a resource that another worker published. Version stamps are valid for the same options only.
  func take(_ seed: ResourceSeed) {
    let requestOptions = Resource.requestOptions(seed.requestOptions)
    guard let resource = seed.resource as? Resource,
      requestOptions == typed.options.requestOptions
    else { return }
    typed.seed(resource, requestOptions, refreshed: seed.refreshed)
  }

  /// - Parameter notify: takes an update, and returns whether its receiver still exists.
  func observe(
    _ id: ObjectIdentifier, on executor: CallbackExecutor,
    notify: @escaping @Sendable (any AnyResourceModel, RelayedUpdate?) -> Bool
  ) {
    typed.subscribe(id, on: executor) { model, update in
      let update = update.map {
        RelayedUpdate(
          pollBegan: $0.pollBegan, failure: $0.failure, failureChanged: $0.failureChanged)
      }
      return notify(model, update)
    }
  }
}
