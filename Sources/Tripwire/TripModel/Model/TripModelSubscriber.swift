/// Receives the changes of a trip.
///
/// All methods have a default that does nothing, so a method whose name is misspelled or whose parameters have other
/// types compiles and is never called. The compiler warns about many of them if the conformance is declared in an
/// extension. A loop over ``ResourceModel/updates`` has no such names.
///
/// The calls for one update come in the order of the methods below, except that
/// ``FollowingState/inactive`` comes last. Each call is made only if its property has changed since
/// the previous update. A slow subscriber misses intermediate states, but never the current one.
/// The first update contains everything that is known.
///
/// The model holds a subscriber weakly. A subscriber that is released need not be unregistered. The
/// model detects the release at the next update, or after a dozen polls without an update.
public protocol TripModelSubscriber: ResourceModelSubscriber<Trip> {
  /// Following started, or ended because the trip is over or the ``FleetServices`` are closed.
  func tripModel(_ tripModel: TripModel, didUpdate state: TripModelState)

  /// The trip changed, or an error is over. `updatedPropertyFields` has all changed properties, and is empty if the
  /// trip is the same as before the error. For each property that has a method below, that method is called next. Remove
  /// a message about an error here. `trip` is nil if no trip was received yet.
  func tripModel(
    _ tripModel: TripModel, didUpdate trip: Trip?,
    updatedPropertyFields: TripPropertyFields)

  /// The trip reached another stage, such as the arrival at the pickup.
  func tripModel(_ tripModel: TripModel, didUpdate tripStatus: TripStatus)

  /// The position and movement of the vehicle; nil if unknown.
  func tripModel(_ tripModel: TripModel, didUpdate vehicleLocation: VehicleLocation?)

  /// The requested place of the pickup; nil if the trip has none.
  func tripModel(
    _ tripModel: TripModel, didUpdatePickupLocation pickupLocation: TerminalLocation?)

  /// The requested place of the drop-off; nil if the trip has none.
  func tripModel(
    _ tripModel: TripModel, didUpdateDropoffLocation dropoffLocation: TerminalLocation?)

  /// The expected arrival at the next stop of this trip; nil if unknown.
  func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint eta: Timestamp?)

  /// The expected or actual pickup time; nil if unknown.
  func tripModel(_ tripModel: TripModel, didUpdatePickupETA eta: Timestamp?)

  /// The expected or actual drop-off time; nil if unknown.
  func tripModel(_ tripModel: TripModel, didUpdateDropoffETA eta: Timestamp?)

  /// The vehicle's distance to the next stop of this trip, in meters; nil if unknown.
  func tripModel(
    _ tripModel: TripModel, didUpdateActiveRouteRemainingDistance distance: Int32?)

  /// The route of the vehicle to the next stop of this trip; nil if it cannot be decoded.
  func tripModel(_ tripModel: TripModel, didUpdateActiveRoute activeRoute: [LatLng]?)

  /// The route from the next stop of this trip to its last; nil if it cannot be decoded.
  func tripModel(_ tripModel: TripModel, didUpdateRemainingRoute remainingRoute: [LatLng]?)

  /// The length of the remaining route in meters; nil if unknown.
  func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteDistance distance: Int32?)

  /// The remaining stops of the vehicle up to the end of this trip, including those of other trips.
  func tripModel(
    _ tripModel: TripModel, didUpdateRemaining remainingWaypoints: [TripWaypoint])

  /// The stops of this trip between pickup and drop-off, in the order of travel.
  func tripModel(
    _ tripModel: TripModel,
    didUpdateIntermediateDestinations intermediateDestinations: [TerminalLocation])

  /// The traffic on the route to the next stop; nil if it is unknown or cannot be decoded.
  func tripModel(_ tripModel: TripModel, didUpdateActiveRouteTraffic traffic: RouteTraffic?)

  /// The traffic on the remaining route; nil if it is unknown or cannot be decoded.
  func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteTraffic traffic: RouteTraffic?)

  /// The trip could not be refreshed. If several polls in succession fail with the same error, this
  /// is called once. Two errors are the same if code, origin, cause and message are equal, apart
  /// from durations in the message ("after 3 ms"; but not the wait after a refused token).
  /// After the error has ended, ``ResourceModel/failure`` is nil, and
  /// ``tripModel(_:didUpdate:updatedPropertyFields:)`` is called. Polling continues: server and network
  /// errors are temporary, and a client error lasts until the app changes something.
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
  /// Makes the calls for an update.
  public func resourceModel(_ model: TripModel, didUpdate update: TripUpdate) {
    update.forEachCall(
      state: { tripModel(model, didUpdate: $0) },
      trip: { tripModel(model, didUpdate: $0, updatedPropertyFields: update.changed) },
      property: { notify($0, $1, of: model) },
      failure: { tripModel(model, didFailUpdateTripWithError: $0) })
  }

  private func notify(_ property: TripPropertyFields, _ trip: Trip, of model: TripModel) {
    switch property {
    case .tripStatus: tripModel(model, didUpdate: trip.tripStatus)
    case .lastVehicleLocation: tripModel(model, didUpdate: trip.lastLocation)
    case .pickupLocation: tripModel(model, didUpdatePickupLocation: trip.pickupPoint)
    case .dropoffLocation: tripModel(model, didUpdateDropoffLocation: trip.dropoffPoint)
    case .etaToNextWaypoint: tripModel(model, didUpdateETAToNextWaypoint: trip.etaToNextWaypoint)
    case .pickupTime: tripModel(model, didUpdatePickupETA: trip.pickupTime)
    case .dropoffTime: tripModel(model, didUpdateDropoffETA: trip.dropoffTime)
    case .remainingDistanceOfActiveRoute:
      let distance = trip.remainingDistanceOfActiveRoute
      tripModel(model, didUpdateActiveRouteRemainingDistance: distance)
    case .activeRoute: tripModel(model, didUpdateActiveRoute: try? trip.activeRoute.points())
    case .remainingRoute:
      tripModel(model, didUpdateRemainingRoute: try? trip.remainingRoute.points())
    case .distanceOfRemainingRoute:
      tripModel(model, didUpdateRemainingRouteDistance: trip.distanceOfRemainingRoute)
    case .remainingWaypoints: tripModel(model, didUpdateRemaining: trip.remainingWaypoints)
    case .intermediateDestinations:
      tripModel(model, didUpdateIntermediateDestinations: trip.intermediateDestinations)
    case .activeRouteTraffic:
      tripModel(model, didUpdateActiveRouteTraffic: (try? trip.activeRouteTraffic()) ?? nil)
    case .remainingRouteTraffic:
      tripModel(model, didUpdateRemainingRouteTraffic: (try? trip.remainingRouteTraffic()) ?? nil)
    default: break
    }
  }
}

extension TripUpdate {
  /// The properties that have methods of subscribers, in the order of these methods.
  private static var reported: [TripPropertyFields] {
    [
      .tripStatus, .lastVehicleLocation, .pickupLocation, .dropoffLocation, .etaToNextWaypoint,
      .pickupTime, .dropoffTime, .remainingDistanceOfActiveRoute, .activeRoute, .remainingRoute,
      .distanceOfRemainingRoute, .remainingWaypoints, .intermediateDestinations,
      .activeRouteTraffic, .remainingRouteTraffic,
    ]
  }

  /// Makes the calls of a subscriber, in the order that ``TripModelSubscriber`` documents.
  ///
  /// - Parameters:
  ///   - state: called if the state has changed.
  ///   - trip: called if the trip has changed or an error is over.
  ///   - property: then called with each changed property that has a method of its own.
  ///   - failure: called if the failure has changed, unless it is over.
  package func forEachCall(
    state: (TripModelState) -> Void, trip: (Trip?) -> Void,
    property: (TripPropertyFields, Trip) -> Void, failure: (CallError) -> Void
  ) {
    let isEnd = self.state == .inactive
    if stateChanged, !isEnd { state(self.state) }
    if !changed.isEmpty || failureChanged && self.failure == nil {
      let known = self.trip
      trip(known)
      if let known {
        for field in Self.reported where changed.contains(field) { property(field, known) }
      }
    }
    if failureChanged, let error = self.failure?.error { failure(error) }
    if stateChanged, isEnd { state(self.state) }
  }
}
