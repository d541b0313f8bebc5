public import Foundation
public import Tripwire

/// Receives the changes of a trip on the main queue.
///
/// All methods have a default that does nothing, so a method whose name is misspelled or whose parameters have other
/// types compiles and is never called. The compiler warns about many of them if the conformance is declared in an
/// extension. A loop over `TripModel.updates` of Tripwire has no such names. Implement each method in the class that
/// declares the conformance. A method that only a subclass implements is not called.
///
/// The calls for one update come in the order of the methods below, except that
/// `GMTCTripModelState.inactive` comes last. Each call is made only if its property has changed
/// since the previous update. A slow subscriber misses intermediate states. The first update
/// contains everything that is known. Unknown numbers are 0; Tripwire's `TripModelSubscriber` has
/// optionals instead.
public protocol GMTCTripModelSubscriber: AnyObject {
  /// Following started, or ended because the trip is over.
  func tripModel(_ tripModel: GMTCTripModel, didUpdate sessionState: GMTCTripModelState)

  /// The trip changed, or an error is over. `updatedPropertyFields` has all changed properties. For each of them that
  /// has a method below, that method is called next. The set has no field for the ETA to the next stop, so it is empty
  /// if only the ETA changed. It is also empty if the trip is the same as before the error. Remove a message about an
  /// error here.
  func tripModel(
    _ tripModel: GMTCTripModel, didUpdate trip: GMTSTrip?,
    updatedPropertyFields: GMTSTripPropertyFields)

  /// The trip reached another stage, such as the arrival at the pickup.
  func tripModel(_ tripModel: GMTCTripModel, didUpdate tripStatus: GMTSTripStatus)

  /// The position and movement of the vehicle; nil if unknown.
  func tripModel(_ tripModel: GMTCTripModel, didUpdate vehicleLocation: GMTSVehicleLocation?)

  /// The requested place of the pickup; nil if the trip has none.
  func tripModel(
    _ tripModel: GMTCTripModel, didUpdatePickupLocation pickupLocation: GMTSTerminalLocation?)

  /// The requested place of the drop-off; nil if the trip has none.
  func tripModel(
    _ tripModel: GMTCTripModel, didUpdateDropoffLocation dropoffLocation: GMTSTerminalLocation?)

  /// The expected arrival at the next stop of this trip, in seconds since 1970.
  func tripModel(
    _ tripModel: GMTCTripModel, didUpdateETAToNextWaypoint nextWaypointETA: TimeInterval)

  /// The expected or actual pickup time, in seconds since 1970.
  func tripModel(_ tripModel: GMTCTripModel, didUpdatePickupETA pickupETA: TimeInterval)

  /// The expected or actual drop-off time, in seconds since 1970.
  func tripModel(_ tripModel: GMTCTripModel, didUpdateDropoffETA dropoffETA: TimeInterval)

  /// The vehicle's distance to the next stop of this trip, in meters.
  func tripModel(
    _ tripModel: GMTCTripModel,
    didUpdateActiveRouteRemainingDistance activeRouteRemainingDistance: Int32)

  /// The route of the vehicle to the next stop of this trip; nil if unknown.
  func tripModel(_ tripModel: GMTCTripModel, didUpdateActiveRoute activeRoute: [GMTSLatLng]?)

  /// The route from the next stop of this trip to its last; nil if unknown.
  func tripModel(_ tripModel: GMTCTripModel, didUpdateRemainingRoute remainingRoute: [GMTSLatLng]?)

  /// The length of the route from the next stop of this trip to its last, in meters.
  func tripModel(
    _ tripModel: GMTCTripModel, didUpdateRemainingRouteDistance remainingRouteDistance: Int32)

  /// The remaining stops of the vehicle up to the end of this trip, including those of other trips.
  func tripModel(
    _ tripModel: GMTCTripModel, didUpdateRemaining remainingWaypoints: [GMTSTripWaypoint]?)

  /// The stops of this trip between pickup and drop-off, in the order of travel.
  func tripModel(
    _ tripModel: GMTCTripModel,
    didUpdateIntermediateDestinations intermediateDestinations: [GMTSTerminalLocation]?)

  /// The traffic on the route to the next stop; nil if unknown.
  func tripModel(
    _ tripModel: GMTCTripModel, didUpdateActiveRouteTraffic activeRouteTraffic: GMTSTrafficData?)

  /// The traffic on the remaining route; nil if unknown.
  func tripModel(
    _ tripModel: GMTCTripModel,
    didUpdateRemainingRouteTraffic remainingRouteTraffic: GMTSTrafficData?)

  /// The trip could not be refreshed. The error is an `NSError` of the domain `io.grpc` with the
  /// number of the gRPC status as its code. If several polls in succession fail with the same
  /// error, this is called once. Polling continues. When the error is over,
  /// ``tripModel(_:didUpdate:updatedPropertyFields:)`` is called, even if the trip has not changed.
  func tripModel(_ tripModel: GMTCTripModel, didFailUpdateTripWithError error: (any Error)?)
}

extension GMTCTripModelSubscriber {
  public func tripModel(_ tripModel: GMTCTripModel, didUpdate sessionState: GMTCTripModelState) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didUpdate trip: GMTSTrip?,
    updatedPropertyFields: GMTSTripPropertyFields
  ) {}
  public func tripModel(_ tripModel: GMTCTripModel, didUpdate tripStatus: GMTSTripStatus) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didUpdate vehicleLocation: GMTSVehicleLocation?
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didUpdatePickupLocation pickupLocation: GMTSTerminalLocation?
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didUpdateDropoffLocation dropoffLocation: GMTSTerminalLocation?
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didUpdateETAToNextWaypoint nextWaypointETA: TimeInterval
  ) {}
  public func tripModel(_ tripModel: GMTCTripModel, didUpdatePickupETA pickupETA: TimeInterval) {}
  public func tripModel(_ tripModel: GMTCTripModel, didUpdateDropoffETA dropoffETA: TimeInterval) {}
  public func tripModel(
    _ tripModel: GMTCTripModel,
    didUpdateActiveRouteRemainingDistance activeRouteRemainingDistance: Int32
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didUpdateActiveRoute activeRoute: [GMTSLatLng]?
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didUpdateRemainingRoute remainingRoute: [GMTSLatLng]?
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didUpdateRemainingRouteDistance remainingRouteDistance: Int32
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didUpdateRemaining remainingWaypoints: [GMTSTripWaypoint]?
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel,
    didUpdateIntermediateDestinations intermediateDestinations: [GMTSTerminalLocation]?
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didUpdateActiveRouteTraffic activeRouteTraffic: GMTSTrafficData?
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel,
    didUpdateRemainingRouteTraffic remainingRouteTraffic: GMTSTrafficData?
  ) {}
  public func tripModel(
    _ tripModel: GMTCTripModel, didFailUpdateTripWithError error: (any Error)?
  ) {}
}

extension GMTCTripModelSubscriber {
  /// Makes the calls for an update.
  func notify(_ update: TripUpdate, of model: GMTCTripModel) {
    var trip: GMTSTrip?
    update.forEachCall(
      state: { tripModel(model, didUpdate: $0) },
      trip: {
        // The SDK has no property for other fields, and makes no call.
        guard update.changed != .otherFields || update.failureChanged else { return }
        trip = $0.map(GMTSTrip.init)
        tripModel(model, didUpdate: trip, updatedPropertyFields: update.changed.inSDK)
      },
      property: { property, _ in
        if let trip { notify(property, trip, of: model) }
      },
      // On Linux `as? NSError` only succeeds for an error that is already one.
      failure: { tripModel(model, didFailUpdateTripWithError: $0 as NSError) })
  }

  private func notify(_ property: TripPropertyFields, _ trip: GMTSTrip, of model: GMTCTripModel) {
    switch property {
    case .tripStatus: tripModel(model, didUpdate: trip.tripStatus)
    case .lastVehicleLocation: tripModel(model, didUpdate: trip.lastVehicleLocation)
    case .pickupLocation: tripModel(model, didUpdatePickupLocation: trip.pickupLocation)
    case .dropoffLocation: tripModel(model, didUpdateDropoffLocation: trip.dropoffLocation)
    case .etaToNextWaypoint:
      let eta = trip.trip.etaToNextWaypoint?.secondsSince1970 ?? 0
      tripModel(model, didUpdateETAToNextWaypoint: eta)
    case .pickupTime: tripModel(model, didUpdatePickupETA: trip.pickupTime)
    case .dropoffTime: tripModel(model, didUpdateDropoffETA: trip.dropoffTime)
    case .remainingDistanceOfActiveRoute:
      let distance = trip.remainingDistanceOfActiveRouteInMeters()
      tripModel(model, didUpdateActiveRouteRemainingDistance: distance)
    case .activeRoute: tripModel(model, didUpdateActiveRoute: trip.activeRoute())
    case .remainingRoute: tripModel(model, didUpdateRemainingRoute: trip.remainingRoute())
    case .distanceOfRemainingRoute:
      let distance = trip.distanceOfRemainingRouteInMeters()
      tripModel(model, didUpdateRemainingRouteDistance: distance)
    case .remainingWaypoints: tripModel(model, didUpdateRemaining: trip.remainingWaypoints)
    case .intermediateDestinations:
      tripModel(model, didUpdateIntermediateDestinations: trip.intermediateDestinations)
    case .activeRouteTraffic:
      tripModel(model, didUpdateActiveRouteTraffic: trip.activeRouteTraffic())
    case .remainingRouteTraffic:
      tripModel(model, didUpdateRemainingRouteTraffic: trip.remainingRouteTraffic())
    default: break
    }
  }
}
