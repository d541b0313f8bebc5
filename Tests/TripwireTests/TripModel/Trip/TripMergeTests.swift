import FleetEngineAPI
import TestSupport
import Testing
import WireProtobuf

@testable import Tripwire

@Suite struct TripMergeTests {
  private var merge = ResourceMerge<Trip>()

  /// Requests the trip, again while parts are missing. Returns the number of requests.
  private mutating func refresh(
    _ server: ModelTrips, view: TripView = .sdk, isLost: Bool = false
  ) -> Int {
    for count in 1...2 {
      var request = GetTripRequest(view: view)
      merge.stamp(&request)
      let response = server.response(to: request)
      if isLost { return count }
      if case .merged = merge.take(response, to: request) { return count }
    }
    return 3
  }

  @Test(arguments: [true, false])
  mutating func mergedTripEqualsTheServers(includesStamps: Bool) {
    for seed in 0..<200 as Range<UInt64> {
      merge = ResourceMerge<Trip>()
      var server = ModelTrips(seed: seed)
      server.includesStamps = includesStamps
      var random = SplitMix(state: ~seed)
      for step in 0..<60 {
        for _ in 0..<Int(random.next(upperBound: 3 as UInt64)) { server.change() }
        let isLost = random.next(upperBound: 4 as UInt64) == 0
        if random.next(upperBound: 10 as UInt64) == 0 { merge.requestCompleteResource() }
        let view: TripView = random.next(upperBound: 15 as UInt64) == 0 ? .journeySharingV1s : .sdk
        let count = refresh(server, view: view, isLost: isLost)
        guard !isLost else { continue }
        #expect(count <= 2)
        #expect(merge.held?.resource == server.trip, "seed \(seed), step \(step)")
        guard merge.held?.resource == server.trip else { return }
      }
    }
  }

  @Test mutating func unchangedPartsAreNotSentAgain() throws {
    var server = ModelTrips(seed: 4)
    while server.trip.route.isEmpty || server.trip.remainingWaypoints.isEmpty { server.change() }
    #expect(refresh(server) == 1)
    var request = GetTripRequest(view: .sdk)
    merge.stamp(&request)
    #expect(request.currentRouteSegmentVersion == server.trip.currentRouteSegmentVersion)
    #expect(request.remainingWaypointsVersion == server.trip.remainingWaypointsVersion)
    #expect(request.remainingWaypointsRouteVersion == server.trip.remainingWaypointsRouteVersion)
    #expect(server.response(to: request).route.isEmpty)
    #expect(refresh(server) == 1)
    #expect(merge.held?.resource == server.trip)
  }

  private func trip(_ change: (inout Trip) -> Void) -> Trip {
    var trip = Trip(
      name: "providers/p/trips/t", route: [LatLng(latitude: 1, longitude: 2)],
      currentRouteSegmentVersion: Timestamp(seconds: 5))
    change(&trip)
    return trip
  }

  private mutating func taken(_ first: Trip, then second: Trip) -> Trip? {
    _ = merge.take(first, to: GetTripRequest())
    var request = GetTripRequest()
    merge.stamp(&request)
    guard case .merged(let held) = merge.take(second, to: request) else { return nil }
    return held.resource
  }

  @Test mutating func emptiedRouteIsCleared() {
    let second = trip {
      $0.route = []
      $0.currentRouteSegmentVersion = Timestamp(seconds: 6)
    }
    #expect(taken(trip { _ in }, then: second) == second)
  }

  @Test mutating func routeWithTheSameStampIsTaken() {
    let second = trip { $0.route = [LatLng(latitude: 3, longitude: 4)] }
    #expect(taken(trip { _ in }, then: second) == second)
  }

  @Test mutating func missingFieldsWithoutAStampAreCleared() {
    let first = trip {
      $0.etaToFirstWaypoint = Timestamp(seconds: 9)
      $0.lastLocation = VehicleLocation()
      $0.remainingDistanceMeters = 0
    }
    let result = taken(first, then: trip { $0.route = [] })
    #expect(result == trip { _ in })
  }

  @Test mutating func routeOfAnotherVehicleIsCleared() {
    let second = trip {
      $0.vehicleId = "other"
      $0.route = []
    }
    #expect(taken(trip { $0.vehicleId = "one" }, then: second) == nil)
    // Then a complete trip is requested.
    var request = GetTripRequest()
    merge.stamp(&request)
    #expect(request == GetTripRequest())
  }

  @Test(arguments: [TripStatus.complete, .canceled])
  mutating func missingPartsOfAFinalTripAreCleared(status: TripStatus) {
    let second = trip {
      $0.tripStatus = status
      $0.vehicleId = "other"
      $0.route = []
      $0.currentRouteSegmentVersion = nil
    }
    #expect(taken(trip { _ in }, then: second) == second)
    let third = trip {
      $0.tripStatus = status
      $0.route = []
    }
    // Unless the stamp is unchanged.
    #expect(
      taken(trip { _ in }, then: third) == trip { $0.tripStatus = status })
  }

  @Test mutating func anotherFormatIsRequestedCompletely() {
    _ = merge.take(trip { _ in }, to: GetTripRequest())
    for change in [
      { (request: inout GetTripRequest) in request.view = .journeySharingV1s },
      { $0.routeFormatType = .encodedPolylineType },
    ] {
      var request = GetTripRequest()
      change(&request)
      merge.stamp(&request)
      #expect(request.currentRouteSegmentVersion == nil)
    }
  }

  private func stop(_ tripID: String, path: Double? = nil) -> TripWaypoint {
    var stop = TripWaypoint(tripId: tripID)
    if let path { stop.pathToWaypoint = [LatLng(latitude: path, longitude: 0)] }
    return stop
  }

  private func stops(_ stops: [TripWaypoint], _ version: Int64, paths: Int64) -> Trip {
    Trip(
      remainingWaypoints: stops, remainingWaypointsVersion: Timestamp(seconds: version),
      remainingWaypointsRouteVersion: Timestamp(seconds: paths))
  }

  @Test mutating func stopKeepsItsPathWhenAnEarlierOneIsPassed() {
    let first = stops([stop("a", path: 1), stop("b", path: 2), stop("a", path: 3)], 1, paths: 1)
    let second = stops([stop("b"), stop("a")], 2, paths: 1)
    #expect(
      taken(first, then: second) == stops([stop("b", path: 2), stop("a", path: 3)], 2, paths: 1))
  }

  @Test mutating func unknownPathOfAStopIsRequested() {
    let first = stops([stop("a", path: 1)], 1, paths: 1)
    #expect(taken(first, then: stops([stop("a"), stop("b")], 2, paths: 1)) == nil)
  }

  @Test mutating func changedPathsWithoutStopsAreRequested() {
    let first = stops([stop("a", path: 1)], 1, paths: 1)
    #expect(taken(first, then: stops([], 1, paths: 2)) == nil)
  }

  @Test mutating func emptiedPathsAreCleared() {
    let first = stops([stop("a", path: 1)], 1, paths: 1)
    let second = stops([stop("a")], 1, paths: 2)
    #expect(taken(first, then: second) == second)
  }
}
