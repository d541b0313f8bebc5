import Foundation
import Tripwire

@testable import RidesharingConsumer

/// An app's view controller without a view: it follows a trip and records its callbacks.
final class RideScreen: NSObject {
  enum Event {
    case state(GMTCTripModelState)
    case trip(GMTSTrip?, GMTSTripPropertyFields)
    case status(GMTSTripStatus)
    case vehicle(GMTSVehicleLocation?)
    case pickup(GMTSTerminalLocation?)
    case dropoff(GMTSTerminalLocation?)
    case eta(TimeInterval)
    case pickupETA(TimeInterval)
    case dropoffETA(TimeInterval)
    case distance(Int32)
    case route([GMTSLatLng]?)
    case remainingRoute([GMTSLatLng]?)
    case remainingDistance(Int32)
    case waypoints([GMTSTripWaypoint]?)
    case destinations([GMTSTerminalLocation]?)
    case traffic(GMTSTrafficData?)
    case remainingTraffic(GMTSTrafficData?)
    case failure(Error?)

    /// The name of the case.
    var name: String { Mirror(reflecting: self).children.first?.label ?? "" }
  }

  var currentTripModel: GMTCTripModel!
  let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  /// Whether any callback ran off the main queue. (On Linux the main queue is not the main thread's
  /// under an `async` main function, which the tests have.)
  private(set) var ranOffTheMainQueue = false
  private static let isMain = DispatchSpecificKey<Bool>()

  override init() {
    DispatchQueue.main.setSpecific(key: Self.isMain, value: true)
    (events, continuation) = AsyncStream.makeStream(of: Event.self)
  }

  deinit {
    self.currentTripModel?.unregisterSubscriber(self)
    continuation.finish()
  }

  func follow(_ tripName: String, refreshInterval: TimeInterval = 0.1) {
    let tripService = GMTCServices.shared().tripService
    let tripModel = tripService.tripModel(forTripName: tripName)
    tripModel.options.autoRefreshTimeInterval = refreshInterval
    // On a busy machine a call may wait long for its token.
    tripModel.model.updateOptions { $0.callOptions.timeout = .seconds(3600) }
    tripModel.register(self)
    self.currentTripModel = tripModel
  }

  func cancelCurrentActiveTrip() {
    self.currentTripModel.unregisterSubscriber(self)
  }

  private func add(_ event: Event) {
    if DispatchQueue.getSpecific(key: Self.isMain) == nil { ranOffTheMainQueue = true }
    continuation.yield(event)
  }
}

extension RideScreen: GMTCTripModelSubscriber {
  func tripModel(_: GMTCTripModel, didUpdate sessionState: GMTCTripModelState) {
    add(.state(sessionState))
  }

  func tripModel(
    _: GMTCTripModel, didUpdate trip: GMTSTrip?, updatedPropertyFields: GMTSTripPropertyFields
  ) {
    add(.trip(trip, updatedPropertyFields))
  }

  func tripModel(_: GMTCTripModel, didUpdate tripStatus: GMTSTripStatus) {
    add(.status(tripStatus))
  }

  func tripModel(_: GMTCTripModel, didUpdate vehicleLocation: GMTSVehicleLocation?) {
    add(.vehicle(vehicleLocation))
  }

  func tripModel(_: GMTCTripModel, didUpdatePickupLocation pickupLocation: GMTSTerminalLocation?) {
    add(.pickup(pickupLocation))
  }

  func tripModel(_: GMTCTripModel, didUpdateDropoffLocation dropoffLocation: GMTSTerminalLocation?)
  {
    add(.dropoff(dropoffLocation))
  }

  func tripModel(_: GMTCTripModel, didUpdateETAToNextWaypoint nextWaypointETA: TimeInterval) {
    add(.eta(nextWaypointETA))
  }

  func tripModel(_: GMTCTripModel, didUpdatePickupETA pickupETA: TimeInterval) {
    add(.pickupETA(pickupETA))
  }

  func tripModel(_: GMTCTripModel, didUpdateDropoffETA dropoffETA: TimeInterval) {
    add(.dropoffETA(dropoffETA))
  }

  func tripModel(
    _: GMTCTripModel, didUpdateActiveRouteRemainingDistance activeRouteRemainingDistance: Int32
  ) {
    add(.distance(activeRouteRemainingDistance))
  }

  func tripModel(_: GMTCTripModel, didUpdateActiveRoute activeRoute: [GMTSLatLng]?) {
    add(.route(activeRoute))
  }

  func tripModel(_: GMTCTripModel, didUpdateRemainingRoute remainingRoute: [GMTSLatLng]?) {
    add(.remainingRoute(remainingRoute))
  }

  func tripModel(_: GMTCTripModel, didUpdateRemainingRouteDistance remainingRouteDistance: Int32) {
    add(.remainingDistance(remainingRouteDistance))
  }

  func tripModel(_: GMTCTripModel, didUpdateRemaining remainingWaypoints: [GMTSTripWaypoint]?) {
    add(.waypoints(remainingWaypoints))
  }

  func tripModel(
    _: GMTCTripModel,
    didUpdateIntermediateDestinations intermediateDestinations: [GMTSTerminalLocation]?
  ) {
    add(.destinations(intermediateDestinations))
  }

  func tripModel(_: GMTCTripModel, didUpdateActiveRouteTraffic activeRouteTraffic: GMTSTrafficData?)
  {
    add(.traffic(activeRouteTraffic))
  }

  func tripModel(
    _: GMTCTripModel, didUpdateRemainingRouteTraffic remainingRouteTraffic: GMTSTrafficData?
  ) {
    add(.remainingTraffic(remainingRouteTraffic))
  }

  func tripModel(_: GMTCTripModel, didFailUpdateTripWithError error: Error?) {
    add(.failure(error))
  }
}
