/// One who is told what becomes of a trip. All methods have a default that does nothing.
///
/// Of an update that changed several things the calls come in the order in which they stand here,
/// except that the model's end, ``TripModelState/inactive``, is told last. Each is made only when that
/// property has changed since the calls before; a subscriber that is slow misses what was there only
/// in between, never what is there now. The first calls tell all that is known.
///
/// A subscriber is held weakly: one that is gone need not be unregistered, and is missed when there is
/// something to tell, or after a dozen polls without.
public protocol TripModelSubscriber: AnyObject {
  /// The trip is followed now, or not any more: because it is over, or nobody wants it.
  func tripModel(_ tripModel: TripModel, didUpdate state: TripModelState)

  /// Something about the trip changed; the calls after this one tell what, one by one.
  func tripModel(
    _ tripModel: TripModel, didUpdate trip: Trip?,
    updatedPropertyFields: TripPropertyFields)

  func tripModel(_ tripModel: TripModel, didUpdate tripStatus: TripStatus)

  /// Where the vehicle is, and how it moves; nil when that is not known.
  func tripModel(_ tripModel: TripModel, didUpdate vehicleLocation: VehicleLocation?)

  func tripModel(
    _ tripModel: TripModel, didUpdatePickupLocation pickupLocation: TerminalLocation?)

  func tripModel(
    _ tripModel: TripModel, didUpdateDropoffLocation dropoffLocation: TerminalLocation?)

  /// When the vehicle is expected at the next stop of this trip; nil when that is not known.
  func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint eta: Timestamp?)

  /// When the rider is expected to be picked up, or was; nil when that is not known.
  func tripModel(_ tripModel: TripModel, didUpdatePickupETA eta: Timestamp?)

  /// When the rider is expected to be dropped off, or was; nil when that is not known.
  func tripModel(_ tripModel: TripModel, didUpdateDropoffETA eta: Timestamp?)

  /// How far the vehicle has to go to the next stop of this trip, in metres; nil when that is not
  /// known.
  func tripModel(
    _ tripModel: TripModel, didUpdateActiveRouteRemainingDistance distance: Int32?)

  /// The way of the vehicle to the next stop of this trip; nil when it cannot be decoded.
  func tripModel(_ tripModel: TripModel, didUpdateActiveRoute activeRoute: [LatLng]?)

  /// The way from the next stop of this trip to its last; nil when it cannot be decoded.
  func tripModel(_ tripModel: TripModel, didUpdateRemainingRoute remainingRoute: [LatLng]?)

  /// How long that way is, in metres; nil when that is not known.
  func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteDistance distance: Int32?)

  /// The stops that the vehicle has left to the end of this trip, those of other trips among them.
  func tripModel(
    _ tripModel: TripModel, didUpdateRemaining remainingWaypoints: [TripWaypoint])

  func tripModel(
    _ tripModel: TripModel,
    didUpdateIntermediateDestinations intermediateDestinations: [TerminalLocation])

  /// Nil when nothing is known of the traffic, or it cannot be decoded.
  func tripModel(_ tripModel: TripModel, didUpdateActiveRouteTraffic traffic: RouteTraffic?)

  /// Nil when nothing is known of the traffic, or it cannot be decoded.
  func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteTraffic traffic: RouteTraffic?)

  /// The trip could not be refreshed. Called once for each error that follows an answer or another
  /// error: one with another code, origin, cause or message. A message that differs in durations only
  /// ("after 3 ms") is the same. ``TripModel/failure`` says whether the error still holds. The trip is
  /// followed on: server and network errors pass by themselves, a client error lasts until the app
  /// changes something.
  func tripModel(_ tripModel: TripModel, didFailUpdateTripWithError error: CallError)
}

extension TripModelSubscriber {
  public func tripModel(_ tripModel: TripModel, didUpdate state: TripModelState) {}
  public func tripModel(
    _ tripModel: TripModel, didUpdate trip: Trip?, updatedPropertyFields: TripPropertyFields
  ) {}
  public func tripModel(_ tripModel: TripModel, didUpdate tripStatus: TripStatus) {}
  public func tripModel(_ tripModel: TripModel, didUpdate vehicleLocation: VehicleLocation?) {}
  public func tripModel(
    _ tripModel: TripModel, didUpdatePickupLocation pickupLocation: TerminalLocation?
  ) {}
  public func tripModel(
    _ tripModel: TripModel, didUpdateDropoffLocation dropoffLocation: TerminalLocation?
  ) {}
  public func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint eta: Timestamp?) {}
  public func tripModel(_ tripModel: TripModel, didUpdatePickupETA eta: Timestamp?) {}
  public func tripModel(_ tripModel: TripModel, didUpdateDropoffETA eta: Timestamp?) {}
  public func tripModel(
    _ tripModel: TripModel, didUpdateActiveRouteRemainingDistance distance: Int32?
  ) {}
  public func tripModel(_ tripModel: TripModel, didUpdateActiveRoute activeRoute: [LatLng]?) {}
  public func tripModel(
    _ tripModel: TripModel, didUpdateRemainingRoute remainingRoute: [LatLng]?
  ) {}
  public func tripModel(
    _ tripModel: TripModel, didUpdateRemainingRouteDistance distance: Int32?
  ) {}
  public func tripModel(
    _ tripModel: TripModel, didUpdateRemaining remainingWaypoints: [TripWaypoint]
  ) {}
  public func tripModel(
    _ tripModel: TripModel,
    didUpdateIntermediateDestinations intermediateDestinations: [TerminalLocation]
  ) {}
  public func tripModel(
    _ tripModel: TripModel, didUpdateActiveRouteTraffic traffic: RouteTraffic?
  ) {}
  public func tripModel(
    _ tripModel: TripModel, didUpdateRemainingRouteTraffic traffic: RouteTraffic?
  ) {}
  public func tripModel(
    _ tripModel: TripModel, didFailUpdateTripWithError error: CallError
  ) {}
}

extension TripModelSubscriber {
  /// Makes the calls that an update is worth.
  func tell(_ update: TripUpdate, of model: TripModel) {
    let isEnd = update.state == .inactive
    if update.stateChanged, !isEnd { tripModel(model, didUpdate: update.state) }
    if let trip = update.trip, !update.changed.isEmpty {
      tripModel(model, didUpdate: trip, updatedPropertyFields: update.changed)
      tell(update.changed, trip, of: model)
    }
    if update.failureChanged, let failure = update.failure {
      tripModel(model, didFailUpdateTripWithError: failure.error)
    }
    if update.stateChanged, isEnd { tripModel(model, didUpdate: update.state) }
  }

  private func tell(_ changed: TripPropertyFields, _ trip: Trip, of model: TripModel) {
    if changed.contains(.tripStatus) { tripModel(model, didUpdate: trip.tripStatus) }
    if changed.contains(.lastVehicleLocation) { tripModel(model, didUpdate: trip.lastLocation) }
    if changed.contains(.pickupLocation) {
      tripModel(model, didUpdatePickupLocation: trip.pickupPoint)
    }
    if changed.contains(.dropoffLocation) {
      tripModel(model, didUpdateDropoffLocation: trip.dropoffPoint)
    }
    if changed.contains(.etaToNextWaypoint) {
      tripModel(model, didUpdateETAToNextWaypoint: trip.etaToNextWaypoint)
    }
    if changed.contains(.pickupTime) { tripModel(model, didUpdatePickupETA: trip.pickupTime) }
    if changed.contains(.dropoffTime) { tripModel(model, didUpdateDropoffETA: trip.dropoffTime) }
    if changed.contains(.remainingDistanceOfActiveRoute) {
      tripModel(
        model, didUpdateActiveRouteRemainingDistance: trip.remainingDistanceOfActiveRoute)
    }
    if changed.contains(.activeRoute) {
      tripModel(model, didUpdateActiveRoute: try? trip.activeRoute.points())
    }
    if changed.contains(.remainingRoute) {
      tripModel(model, didUpdateRemainingRoute: try? trip.remainingRoute.points())
    }
    if changed.contains(.distanceOfRemainingRoute) {
      tripModel(model, didUpdateRemainingRouteDistance: trip.distanceOfRemainingRoute)
    }
    if changed.contains(.remainingWaypoints) {
      tripModel(model, didUpdateRemaining: trip.remainingWaypoints)
    }
    if changed.contains(.intermediateDestinations) {
      tripModel(model, didUpdateIntermediateDestinations: trip.intermediateDestinations)
    }
    if changed.contains(.activeRouteTraffic) {
      tripModel(model, didUpdateActiveRouteTraffic: (try? trip.activeRouteTraffic()) ?? nil)
    }
    if changed.contains(.remainingRouteTraffic) {
      tripModel(model, didUpdateRemainingRouteTraffic: (try? trip.remainingRouteTraffic()) ?? nil)
    }
  }
}

/// A subscriber that belongs to an actor.
///
/// `@unchecked Sendable`: the subscriber alone is not Sendable. It is made on its actor, and read only
/// in ``tell(_:of:)``, which runs there. A weak reference may be let go on any thread.
struct ActorSubscriber: @unchecked Sendable {
  let id: ObjectIdentifier
  private weak let subscriber: (any TripModelSubscriber)?

  init(_ subscriber: any TripModelSubscriber) {
    id = ObjectIdentifier(subscriber)
    self.subscriber = subscriber
  }

  /// Returns whether it is still there.
  func tell(_ update: TripUpdate?, of model: TripModel) -> Bool {
    Tripwire.tell(subscriber, update, of: model)
  }
}

/// Tells a subscriber that was held weakly. Returns whether it is still there; without an update that
/// is all it does.
func tell(
  _ subscriber: (any TripModelSubscriber)?, _ update: TripUpdate?, of model: TripModel
) -> Bool {
  guard let subscriber else { return false }
  if let update { subscriber.tell(update, of: model) }
  return true
}
