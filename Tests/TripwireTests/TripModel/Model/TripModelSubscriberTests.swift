import FleetEngineAPI
import Testing
import WireGRPC

@testable import Tripwire

/// Records all calls.
private final class CompleteRecorder: TripModelSubscriber {
  private(set) var calls: [String] = []

  func tripModel(_: TripModel, didUpdate state: TripModelState) { calls.append("\(state)") }
  func tripModel(
    _: TripModel, didUpdate trip: Trip?, updatedPropertyFields: TripPropertyFields
  ) { calls.append("trip \(updatedPropertyFields.names.count)") }
  func tripModel(_: TripModel, didUpdate status: TripStatus) { calls.append("\(status)") }
  func tripModel(_: TripModel, didUpdate location: VehicleLocation?) {
    calls.append("vehicle \(location?.heading ?? -1)")
  }
  func tripModel(_: TripModel, didUpdatePickupLocation location: TerminalLocation?) {
    calls.append("pickup \(location?.point?.latitude ?? -1)")
  }
  func tripModel(_: TripModel, didUpdateDropoffLocation location: TerminalLocation?) {
    calls.append("drop-off \(location?.point?.latitude ?? -1)")
  }
  func tripModel(_: TripModel, didUpdateETAToNextWaypoint eta: Timestamp?) {
    calls.append("ETA \(eta?.seconds ?? -1)")
  }
  func tripModel(_: TripModel, didUpdatePickupETA eta: Timestamp?) {
    calls.append("pickup ETA \(eta?.seconds ?? -1)")
  }
  func tripModel(_: TripModel, didUpdateDropoffETA eta: Timestamp?) {
    calls.append("drop-off ETA \(eta?.seconds ?? -1)")
  }
  func tripModel(_: TripModel, didUpdateActiveRouteRemainingDistance distance: Int32?) {
    calls.append("distance \(distance ?? -1)")
  }
  func tripModel(_: TripModel, didUpdateActiveRoute route: [LatLng]?) {
    calls.append("active \(route?.count ?? -1)")
  }
  func tripModel(_: TripModel, didUpdateRemainingRoute route: [LatLng]?) {
    calls.append("remaining \(route?.count ?? -1)")
  }
  func tripModel(_: TripModel, didUpdateRemainingRouteDistance distance: Int32?) {
    calls.append("remaining distance \(distance ?? -1)")
  }
  func tripModel(_: TripModel, didUpdateRemaining waypoints: [TripWaypoint]) {
    calls.append("stops \(waypoints.count)")
  }
  func tripModel(_: TripModel, didUpdateIntermediateDestinations places: [TerminalLocation]) {
    calls.append("destinations \(places.count)")
  }
  func tripModel(_: TripModel, didUpdateActiveRouteTraffic traffic: RouteTraffic?) {
    calls.append("traffic \(traffic?.path.count ?? -1)")
  }
  func tripModel(_: TripModel, didUpdateRemainingRouteTraffic traffic: RouteTraffic?) {
    calls.append("remaining traffic \(traffic?.path.count ?? -1)")
  }
  func tripModel(_: TripModel, didFailUpdateTripWithError error: CallError) {
    calls.append("error \(error.code)")
  }
}

@Suite struct TripModelSubscriberTests {
  private let model = FleetServices(
    failing: CallError(code: .unavailable, message: "", origin: .local)
  ).tripService.tripModel(forTripName: "providers/p/trips/t")

  private func place(_ latitude: Double) -> TerminalLocation {
    TerminalLocation(point: LatLng(latitude: latitude, longitude: 0))
  }

  private func stop(_ type: WaypointType, meters: Int32, path: [LatLng]) -> TripWaypoint {
    TripWaypoint(
      tripId: "t", waypointType: type, pathToWaypoint: path, trafficToWaypoint: traffic,
      distanceMeters: meters)
  }

  private var traffic: ConsumableTrafficPolyline {
    let slow = SpeedReadingInterval(endPolylinePointIndex: 1, speed: .slow)
    return ConsumableTrafficPolyline(speedReadingInterval: [slow])
  }

  /// A trip with all properties.
  private var trip: Trip {
    let points = (0..<5).map { LatLng(latitude: Double($0), longitude: 0) }
    var trip = Trip(
      name: "providers/p/trips/t", vehicleId: "v", tripStatus: .enrouteToPickup,
      tripType: .exclusive, lastLocation: VehicleLocation(heading: 90))
    trip.pickupPoint = place(1)
    trip.dropoffPoint = place(2)
    trip.etaToFirstWaypoint = Timestamp(seconds: 10)
    trip.pickupTime = Timestamp(seconds: 11)
    trip.dropoffTime = Timestamp(seconds: 12)
    trip.numberOfPassengers = 2
    trip.remainingDistanceMeters = 70
    trip.route = Array(points[..<2])
    trip.currentRouteSegmentTraffic = traffic
    trip.remainingWaypoints = [
      stop(.pickup, meters: 70, path: []), stop(.dropOff, meters: 80, path: Array(points[1...])),
    ]
    trip.intermediateDestinations = [place(3)]
    trip.intermediateDestinationIndex = 1
    return trip
  }

  @Test func callsAreMadeInOrder() {
    let recorder = CompleteRecorder()
    recorder.resourceModel(model, didUpdate: TripUpdate(trip: trip))
    #expect(
      recorder.calls == [
        "active", "trip 20", "enrouteToPickup", "vehicle 90", "pickup 1.0", "drop-off 2.0",
        "ETA 10", "pickup ETA 11", "drop-off ETA 12", "distance 70", "active 2", "remaining 4",
        "remaining distance 80", "stops 2", "destinations 1", "traffic 2", "remaining traffic 4",
      ])
  }

  @Test func removedPropertiesAreReported() {
    let recorder = CompleteRecorder()
    let bare = Trip(name: trip.name)
    let error = CallError(code: .notFound, message: "", origin: .server)
    recorder.resourceModel(
      model,
      didUpdate: TripUpdate(
        state: .inactive, trip: bare, failure: TripFailure(error: error),
        since: TripUpdate(trip: trip)))
    #expect(
      recorder.calls == [
        "trip 19", "unknown", "vehicle -1", "pickup -1.0", "drop-off -1.0", "ETA -1",
        "pickup ETA -1", "drop-off ETA -1", "distance -1", "active 0", "remaining 0",
        "remaining distance -1", "stops 0", "destinations 0", "traffic -1",
        "remaining traffic -1", "error NOT_FOUND", "inactive",
      ])
  }

  @Test func undecodablePropertiesAreNil() {
    let recorder = CompleteRecorder()
    var broken = trip
    broken.route = []
    broken.currentRouteSegment = "A???"
    recorder.resourceModel(
      model, didUpdate: TripUpdate(trip: broken, since: TripUpdate(trip: trip)))
    #expect(recorder.calls == ["trip 2", "active -1", "traffic -1"])
  }

  @Test func unchangedPropertiesAreNotReported() {
    let recorder = CompleteRecorder()
    let update = TripUpdate(trip: trip)
    recorder.resourceModel(model, didUpdate: TripUpdate(trip: trip, since: update))
    #expect(recorder.calls == [])
  }

  /// So that a message about the error can be removed.
  @Test func endOfAnErrorIsATripUpdate() {
    let recorder = CompleteRecorder()
    let error = TripFailure(error: CallError(code: .notFound, message: "", origin: .server))
    for trip in [trip, nil] {
      let failing = TripUpdate(trip: trip, failure: error, since: TripUpdate(trip: trip))
      recorder.resourceModel(model, didUpdate: failing)
      recorder.resourceModel(model, didUpdate: TripUpdate(trip: trip, since: failing))
    }
    #expect(recorder.calls == ["error NOT_FOUND", "trip 0", "error NOT_FOUND", "trip 0"])
  }

  @Test func changedTripAfterAnErrorIsReportedOnce() {
    let recorder = CompleteRecorder()
    let error = TripFailure(error: CallError(code: .notFound, message: "", origin: .server))
    let failing = TripUpdate(trip: trip, failure: error)
    var changed = trip
    changed.tripStatus = .arrivedAtPickup
    recorder.resourceModel(model, didUpdate: TripUpdate(trip: changed, since: failing))
    #expect(recorder.calls == ["trip 1", "arrivedAtPickup"])
  }

  @Test func subscriberMayTakeWholeUpdates() {
    final class Board: TripModelSubscriber {
      var changed: [TripPropertyFields] = []
      func resourceModel(_: TripModel, didUpdate update: TripUpdate) {
        changed.append(update.changed)
      }
    }
    let board = Board()
    let subscriber: any TripModelSubscriber = board
    subscriber.resourceModel(model, didUpdate: TripUpdate(trip: Trip(name: "t")))
    #expect(board.changed == [.tripName])
  }
}
