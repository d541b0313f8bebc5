import FleetEngineAPI
import RelayAPI
import Tripwire

/// A model of a resource of any kind, as a worker uses it.
protocol RelayedModel: AnyObject, Sendable {
  /// The resource as it was last received; nil before the first response.
  var encoded: EncodedResource? { get }
  var failure: RefreshFailure? { get }
  var refreshed: ContinuousClock.Instant? { get }
  var nextRefresh: ContinuousClock.Instant? { get }

  func suspend()
  func resume()
  func delayPoll(until instant: ContinuousClock.Instant)
  /// Starts from a state that another worker published.
  func seed(_ state: ResourceState, refreshed: ContinuousClock.Instant)
  /// - Parameter notify: takes an update, and returns whether its receiver still exists.
  func observe(
    _ id: ObjectIdentifier, on executor: CallbackExecutor,
    notify: @escaping @Sendable (any RelayedModel, RelayedUpdate?) -> Bool)
  func unsubscribe(_ id: ObjectIdentifier)
}

/// What a worker needs to know of an update.
struct RelayedUpdate {
  let refreshed: ContinuousClock.Instant?
  let failure: RefreshFailure?
  let failureChanged: Bool
}

extension ResourceModel: RelayedModel where Resource: RelayedResource {
  var encoded: EncodedResource? { current.map { EncodedResource($0) } }

  /// Version stamps are valid for the same options only.
  func seed(_ state: ResourceState, refreshed: ContinuousClock.Instant) {
    let requestOptions = Resource.options(of: state)
    guard let resource = state.resource?.message as? Resource,
      requestOptions == options.requestOptions
    else { return }
    seed(resource, requestOptions, refreshed: refreshed)
  }

  func observe(
    _ id: ObjectIdentifier, on executor: CallbackExecutor,
    notify: @escaping @Sendable (any RelayedModel, RelayedUpdate?) -> Bool
  ) {
    subscribe(id, on: executor) { model, update in
      let update = update.map {
        RelayedUpdate(
          refreshed: $0.refreshed, failure: $0.failure, failureChanged: $0.failureChanged)
      }
      return notify(model, update)
    }
  }
}

extension FleetServices {
  /// Returns the model of a resource of any kind.
  func relayedModel(of name: ResourceName, _ options: TripModelOptions) -> any RelayedModel {
    switch name {
    case .trip(let name):
      let model = tripService.tripModel(forTripName: name)
      model.options = options
      return model
    case .vehicle(let name):
      return configured(vehicleService.vehicleModel(forVehicleName: name), options)
    case .deliveryVehicle(let name):
      return configured(
        deliveryService.deliveryVehicleModel(forDeliveryVehicleName: name.description), options)
    case .task(let name):
      return configured(deliveryService.taskModel(forTaskName: name.description), options)
    case .taskTrackingInfo(let name):
      return configured(
        deliveryService.taskTrackingModel(forTaskTrackingInfoName: name.description), options)
    }
  }

  private func configured<Resource: RelayedResource>(
    _ model: ResourceModel<Resource>, _ options: TripModelOptions
  ) -> any RelayedModel {
    model.options = ResourceModelOptions(
      refreshInterval: options.refreshInterval, callOptions: options.callOptions)
    return model
  }
}
