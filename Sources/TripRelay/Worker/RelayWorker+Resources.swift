import FleetEngineAPI
import RelayAPI
import Tripwire
import WireIO
import WireSystem

/// The resources of the worker.
extension RelayWorker {
  /// Settles once for all messages that arrive together.
  func scheduleSettling() {
    guard !isSettling else { return }
    isSettling = true
    client.loop.atEndOfRound { self.assumeIsolated { $0.settle() } }
  }

  func settle() {
    isSettling = false
    for change in ownership.settle() {
      switch change {
      case .take(let key):
        guard resources[key] == nil, let name = RelayNames.name(key) else { continue }
        let resource = SharedResource(key: key, name: name)
        resources[key] = resource
        load(resource)
      case .drop(let key):
        resources.removeValue(forKey: key)?.stop(.over)
      case .expire(let key):
        Task { await removeRequest(key, ifExpired: true) }
      }
    }
  }

  /// Starts to poll from the last state.
  func startPolling(_ resource: SharedResource, _ last: LastState?) {
    let model = fleet.model(of: resource.name)
    model.configure(
      interval: options.trip.refreshInterval, options.trip.requestOptions, options.trip.callOptions)
    if let last { model.seed(last.state, refreshed: clock.instant(of: last.confirmed)) }
    resource.phase = .polling(model)
    resource.publishedRefresh = model.refreshed
    let key = resource.key
    model.observe(ObjectIdentifier(resource), on: executor) { [weak self] model, update in
      guard let self else { return false }
      if let update { self.assumeIsolated { $0.resourceChanged(key, model, update) } }
      return true
    }
    if let end = delays.end(of: resource.name.providerID) { model.delayPoll(until: end) }
    if connectivity.isSuspended { model.suspend() }
  }

  private func resourceChanged(
    _ key: String, _ model: any AnyResourceModel, _ update: RelayedUpdate
  ) {
    guard let resource = resources[key], resource.model === model else { return }
    if update.failureChanged, let failure = update.failure { shareDelay(failure, resource) }
    // The first update has what is published already.
    guard
      update.refreshed != resource.publishedRefresh || update.failure != nil
        || update.failureChanged
    else { return }
    resource.needsPublishing = true
    publish(resource)
  }

  /// Whether the resource of this key is still this object.
  func isCurrent(_ resource: SharedResource) -> Bool { resources[resource.key] === resource }

  /// Carries out the actions that are due for a resource.
  func check(_ resource: SharedResource, _ now: ContinuousClock.Instant) {
    switch resource.phase {
    case .loading:
      if !resource.isLoading, resource.retry.map({ $0 <= now }) ?? true {
        resource.retry = nil
        load(resource)
      }
    case .yielding(let end):
      if end <= now { load(resource) }
    case .polling(let model):
      if resource.isUncertain || isRenewalDue(model.refreshed, resource.publishedRefresh) {
        resource.needsPublishing = true
      }
      if resource.needsPublishing { publish(resource) }
    case .over: break
    }
  }

  /// Whether a poll has to be published although it changed nothing.
  private func isRenewalDue(
    _ refreshed: ContinuousClock.Instant?, _ published: ContinuousClock.Instant?
  ) -> Bool {
    guard let refreshed, refreshed != published else { return false }
    return published.map { refreshed - $0 > options.renewal } ?? true
  }

  /// The resource is final and announced.
  func end(_ resource: SharedResource) {
    resource.stop(.over)
    Task { await removeRequest(resource.key, ifExpired: false) }
  }
}
