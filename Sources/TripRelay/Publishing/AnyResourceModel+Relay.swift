import RelayAPI
import Tripwire

/// What a worker needs to know of an update.
struct RelayedUpdate {
  /// When the poll of the resource began; nil if another worker polled it.
  let pollBegan: ContinuousClock.Instant?
  let failure: RefreshFailure?
  let failureChanged: Bool
}

extension AnyResourceModel {
  /// The resource as it was last received; nil before the first response.
  var encoded: EncodedResource? { typed.current.map { EncodedResource($0) } }

  /// Starts from a state that another worker published. Version stamps are valid for the same options only.
  func seed(_ state: ResourceState, refreshed: ContinuousClock.Instant) {
    let requestOptions = Resource.requestOptions(state.requestOptions)
    guard let resource = state.resource?.message as? Resource,
      requestOptions == typed.options.requestOptions
    else { return }
    typed.seed(resource, requestOptions, refreshed: refreshed)
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
