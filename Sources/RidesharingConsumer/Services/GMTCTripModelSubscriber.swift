public import Foundation
import Tripwire

/// One who is told, on the main thread, what becomes of a trip. All methods have a default that does
/// nothing; a class that inherits its conformance cannot replace those that its superclass left out.
///
/// Of an update that changed several things the calls come in the order in which they stand here,
/// except that the model's end, ``GMTCTripModelState/inactive``, is told last. Each is made only when
/// that property has changed since the calls before; a subscriber that is slow misses what was there
/// only in between. The first calls tell all that is known. Numbers that are not known are 0; the
/// same with optionals is Tripwire's `TripModelSubscriber`.
public protocol GMTCTripModelSubscriber: AnyObject {
  func tripModel(_ tripModel: GMTCTripModel, didUpdate sessionState: GMTCTripModelState)

  /// Something about the trip changed; the calls after this one tell what, one by one. The fields are
  /// none when nothing but the ETA to the next stop did, which has no bit.
  func tripModel(
    _ tripModel: GMTCTripModel, didUpdate trip: GMTSTrip?,
    updatedPropertyFields: GMTSTripPropertyFields)

  func tripModel(_ tripModel: GMTCTripModel, didUpdate tripStatus: GMTSTripStatus)

  func tripModel(_ tripModel: GMTCTripModel, didUpdate vehicleLocation: GMTSVehicleLocation?)

  func tripModel(
    _ tripModel: GMTCTripModel, didUpdatePickupLocation pickupLocation: GMTSTerminalLocation?)

  func tripModel(
    _ tripModel: GMTCTripModel, didUpdateDropoffLocation dropoffLocation: GMTSTerminalLocation?)

  /// When the vehicle is expected at the next stop of this trip, in seconds since 1970.
  func tripModel(
    _ tripModel: GMTCTripModel, didUpdateETAToNextWaypoint nextWaypointETA: TimeInterval)

  /// When the rider is expected to be picked up, or was, in seconds since 1970.
  func tripModel(_ tripModel: GMTCTripModel, didUpdatePickupETA pickupETA: TimeInterval)

  /// When the rider is expected to be dropped off, or was, in seconds since 1970.
  func tripModel(_ tripModel: GMTCTripModel, didUpdateDropoffETA dropoffETA: TimeInterval)

  /// How far the vehicle has to go to the next stop of this trip, in metres.
  func tripModel(
    _ tripModel: GMTCTripModel,
    didUpdateActiveRouteRemainingDistance activeRouteRemainingDistance: Int32)

  func tripModel(_ tripModel: GMTCTripModel, didUpdateActiveRoute activeRoute: [GMTSLatLng]?)

  func tripModel(_ tripModel: GMTCTripModel, didUpdateRemainingRoute remainingRoute: [GMTSLatLng]?)

  /// How long the way from the next stop of this trip to its last is, in metres.
  func tripModel(
    _ tripModel: GMTCTripModel, didUpdateRemainingRouteDistance remainingRouteDistance: Int32)

  func tripModel(
    _ tripModel: GMTCTripModel, didUpdateRemaining remainingWaypoints: [GMTSTripWaypoint]?)

  func tripModel(
    _ tripModel: GMTCTripModel,
    didUpdateIntermediateDestinations intermediateDestinations: [GMTSTerminalLocation]?)

  func tripModel(
    _ tripModel: GMTCTripModel, didUpdateActiveRouteTraffic activeRouteTraffic: GMTSTrafficData?)

  func tripModel(
    _ tripModel: GMTCTripModel,
    didUpdateRemainingRouteTraffic remainingRouteTraffic: GMTSTrafficData?)

  /// The trip could not be refreshed: as `NSError` of the domain `io.grpc`, with the number of the
  /// gRPC status as its code. Told once for each error that comes in place of another, or of an
  /// answer; the trip is followed on.
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
  /// Makes the calls that an update is worth.
  func tell(_ update: TripUpdate, of model: GMTCTripModel) {
    let isEnd = update.state == .inactive
    let state = GMTCTripModelState(update.state)
    if update.stateChanged, !isEnd { tripModel(model, didUpdate: state) }
    if let trip = update.trip, !update.changed.isEmpty {
      let trip = GMTSTrip(trip)
      tripModel(
        model, didUpdate: trip, updatedPropertyFields: GMTSTripPropertyFields(update.changed))
      tell(update.changed, trip, of: model)
    }
    if update.failureChanged, let failure = update.failure {
      // Off Apple's systems `as? NSError` knows no other error than one that is it already.
      tripModel(model, didFailUpdateTripWithError: failure.error as NSError)
    }
    if update.stateChanged, isEnd { tripModel(model, didUpdate: state) }
  }

  private func tell(_ changed: TripPropertyFields, _ trip: GMTSTrip, of model: GMTCTripModel) {
    if changed.contains(.tripStatus) { tripModel(model, didUpdate: trip.tripStatus) }
    if changed.contains(.lastVehicleLocation) {
      tripModel(model, didUpdate: trip.lastVehicleLocation)
    }
    if changed.contains(.pickupLocation) {
      tripModel(model, didUpdatePickupLocation: trip.pickupLocation)
    }
    if changed.contains(.dropoffLocation) {
      tripModel(model, didUpdateDropoffLocation: trip.dropoffLocation)
    }
    if changed.contains(.etaToNextWaypoint) {
      let eta = trip.trip.etaToNextWaypoint?.secondsSince1970 ?? 0
      tripModel(model, didUpdateETAToNextWaypoint: eta)
    }
    if changed.contains(.pickupTime) { tripModel(model, didUpdatePickupETA: trip.pickupTime) }
    if changed.contains(.dropoffTime) { tripModel(model, didUpdateDropoffETA: trip.dropoffTime) }
    if changed.contains(.remainingDistanceOfActiveRoute) {
      let distance = trip.remainingDistanceOfActiveRouteInMeters()
      tripModel(model, didUpdateActiveRouteRemainingDistance: distance)
    }
    if changed.contains(.activeRoute) {
      tripModel(model, didUpdateActiveRoute: trip.activeRoute())
    }
    if changed.contains(.remainingRoute) {
      tripModel(model, didUpdateRemainingRoute: trip.remainingRoute())
    }
    if changed.contains(.distanceOfRemainingRoute) {
      let distance = trip.distanceOfRemainingRouteInMeters()
      tripModel(model, didUpdateRemainingRouteDistance: distance)
    }
    if changed.contains(.remainingWaypoints) {
      tripModel(model, didUpdateRemaining: trip.remainingWaypoints)
    }
    if changed.contains(.intermediateDestinations) {
      tripModel(model, didUpdateIntermediateDestinations: trip.intermediateDestinations)
    }
    if changed.contains(.activeRouteTraffic) {
      tripModel(model, didUpdateActiveRouteTraffic: trip.activeRouteTraffic())
    }
    if changed.contains(.remainingRouteTraffic) {
      tripModel(model, didUpdateRemainingRouteTraffic: trip.remainingRouteTraffic())
    }
  }
}
