import FleetEngineAPI
import RelayAPI
import Tripwire
import WireIO
import WireSystem

/// The trips of the worker.
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
        guard trips[key] == nil, let name = RelayNames.trip(key) else { continue }
        let trip = SharedTrip(key: key, name: name)
        trips[key] = trip
        load(trip)
      case .drop(let key):
        trips.removeValue(forKey: key)?.stop(.over)
      case .expire(let key):
        Task { await removeWant(key, ifExpired: true) }
      }
    }
  }

  /// Starts to poll from the last state.
  func startPolling(_ trip: SharedTrip, _ last: LastState?) {
    let model = tripService.tripModel(forTripName: trip.name)
    model.options = options.trip
    if let last, let held = last.state.trip, last.state.view == options.trip.view,
      last.state.routeFormatType == options.trip.routeFormat
    {
      model.seed(
        held, view: last.state.view, routeFormat: last.state.routeFormatType,
        refreshed: clock.instant(of: last.confirmed))
    }
    trip.phase = .polling(model)
    trip.publishedRefresh = model.refreshed
    let key = trip.key
    model.subscribe(ObjectIdentifier(trip), on: executor) { [weak self] model, update in
      guard let self else { return false }
      if let update { self.assumeIsolated { $0.tripChanged(key, model, update) } }
      return true
    }
    if let end = delays.end(of: trip.name.providerID) { model.delayPoll(until: end) }
    if connectivity.isSuspended { model.suspend() }
  }

  private func tripChanged(_ key: String, _ model: TripModel, _ update: TripUpdate) {
    guard let trip = trips[key], trip.model === model else { return }
    if update.failureChanged, let failure = update.failure { shareDelay(failure, trip) }
    // The first update has what is published already.
    guard
      update.refreshed != trip.publishedRefresh || update.failure != nil || update.failureChanged
    else { return }
    trip.needsPublishing = true
    publish(trip)
  }

  /// Whether the trip of this key is still this object.
  func isCurrent(_ trip: SharedTrip) -> Bool { trips[trip.key] === trip }

  /// Carries out the actions that are due for a trip.
  func check(_ trip: SharedTrip, _ now: ContinuousClock.Instant) {
    switch trip.phase {
    case .loading:
      if !trip.isLoading, trip.retry.map({ $0 <= now }) ?? true {
        trip.retry = nil
        load(trip)
      }
    case .yielding(let end):
      if end <= now { load(trip) }
    case .polling(let model):
      let isDue = trip.publishedAt.map { now - $0 >= options.renewal } ?? true
      if trip.isUncertain || isDue && model.refreshed != trip.publishedRefresh {
        trip.needsPublishing = true
      }
      if trip.needsPublishing { publish(trip) }
    case .over: break
    }
  }

  /// The trip is over and announced.
  func end(_ trip: SharedTrip) {
    trip.stop(.over)
    Task { await removeWant(trip.key, ifExpired: false) }
  }
}
