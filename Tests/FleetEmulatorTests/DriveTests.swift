import FleetEngineAPI
import FleetEngineDeliveryAPI
import Testing
import WireProtobuf

@testable import FleetEmulator

@Suite struct DriveTests {
  private static let start = LatLng(latitude: 0, longitude: 0)
  /// 1,111.95 m north, and then as much east.
  private static let corner = LatLng(latitude: 0.01, longitude: 0)
  private static let end = LatLng(latitude: 0.01, longitude: 0.01)

  private func route(_ times: [Int64?] = [nil, nil, nil]) throws -> Route {
    try #require(
      Route(
        zip([Self.start, Self.corner, Self.end], times).map { place, seconds in
          RoutePoint(place: place, time: seconds.map { Timestamp(seconds: $0) })
        }))
  }

  private func drive(
    _ route: Route? = nil, _ change: (inout Drive.Options) -> Void = { _ in }
  ) throws -> Drive {
    var options = Drive.Options()
    change(&options)
    return try Drive(along: route ?? self.route(), options)
  }

  /// The reports until the end, with their times, if each call takes `latency`.
  private func reports(
    _ drive: Drive, latency: Duration = .zero
  ) -> [(time: Duration, report: LocationReport)] {
    var drive = drive
    var now = Duration.zero
    var found: [(Duration, LocationReport)] = []
    while found.count < 1_000 {
      switch drive.next(at: now) {
      case .send(let report):
        found.append((now, report))
        drive.succeeded(began: now)
        now += latency
      case .wait(let time):
        guard time > now else { return [] }
        now = time
      case .waitForPosition, .end: return found
      }
    }
    return []
  }

  // MARK: Routes

  @Test func aRouteIsDrivenAtTheUsualSpeed() throws {
    let drive = try drive()
    #expect(drive.plan.map { Int($0.meters) } == 2_223)
    let found = reports(drive)
    #expect(found.map(\.time) == (0...28).map { .seconds(10 * $0) })
    #expect(found.allSatisfy { $0.report.speed == 8 || $0.report.remaining == 0 })
    #expect(found.map { $0.report.heading } == (0...28).map { $0 < 14 ? 0 : 90 })
    #expect(found[1].report.driven == 80)
    #expect(found.last?.report.place == Self.end)
    #expect(found.last?.report.speed == 0)
    #expect(found[0].report.route != nil)
    #expect(found.dropFirst().allSatisfy { $0.report.route == nil })
  }

  @Test func aTrackHasItsOwnPace() throws {
    let track = try route([100, 110, 160])
    let found = try reports(drive(track))
    #expect(found.map(\.time) == (0...6).map { .seconds(10 * $0) })
    #expect(found[1].report.place == Self.corner)
    #expect(found[0].report.speed.map { Int($0) } == 111)
    #expect(found[1].report.speed.map { Int($0) } == 22)
    // The speed of the option replaces the times, which may then go back.
    let faster = reports(try drive(route([5, 4, 3])) { $0.speed = 1_111.95 })
    #expect(faster.count == 2)
    #expect(throws: Drive.Fault.timeGoesBack(point: 2)) { try drive(route([5, 4, 6])) }
    // A track of which a point has no time.
    #expect(
      try self.drive(route([1, nil, 3])).plan.map { Int($0.duration.components.seconds) } == 277)
  }

  @Test func stopsDelayTheRest() throws {
    let found = reports(
      try drive {
        $0.speed = 100
        $0.stops = [
          Drive.Stop(meters: 2_000, duration: .seconds(15)),
          Drive.Stop(meters: 500, duration: .seconds(20)),
        ]
      })
    #expect(
      found.map { Int($0.report.driven ?? -1) } == [0, 500, 500, 1_000, 2_000, 2_000, 2_223])
    #expect(found.map { $0.report.speed } == [100, 0, 0, 100, 0, 0, 0])
    let late = Drive.Stop(meters: 3_000, duration: .seconds(1))
    #expect(throws: Drive.Fault.self) { try drive { $0.stops = [late] } }
  }

  @Test func nothingIsSentWithoutGPS() throws {
    let found = reports(
      try drive {
        $0.outages = [.seconds(20)..<(.seconds(65)), .seconds(60)..<(.seconds(70))]
        $0.speed = 20
      })
    #expect(found.map(\.time) == [0, 10, 70, 80, 90, 100, 110, 120].map { .seconds($0) })
  }

  @Test func theLastLocationIsSentAfterALossOfGPS() throws {
    let found = reports(try drive { $0.outages = [.seconds(5)..<(.seconds(1_000))] })
    #expect(found.map(\.time) == [.zero, .seconds(1_000)])
    #expect(found.last?.report.place == Self.end)
  }

  @Test func aSlowServerGetsTheLocationOfTheTime() throws {
    let found = reports(try drive { $0.speed = 100 }, latency: .seconds(12))
    #expect(found.map(\.time) == [.zero, .seconds(12), .seconds(24)])
    #expect(found[1].report.driven == 1_200)
  }

  @Test func failuresAreRetriedWithNewerLocations() throws {
    var drive = try drive()
    guard case .send(let first) = drive.next(at: .zero) else { throw Unexpected() }
    drive.failed(at: .seconds(1), delay: nil, random: 0.5)
    #expect(drive.next(at: .seconds(1)) == .wait(until: .seconds(2)))
    guard case .send(let second) = drive.next(at: .seconds(2)) else { throw Unexpected() }
    #expect(second.driven == 16)
    // The server does not have the route yet.
    #expect(second.route == first.route)
    drive.failed(at: .seconds(2), delay: nil, random: 0.5)
    #expect(drive.next(at: .seconds(2)) == .wait(until: .seconds(3.6)))
    drive.failed(at: .seconds(4), delay: .seconds(100), random: 0.5)
    #expect(drive.next(at: .seconds(4)) == .wait(until: .seconds(104)))
    for _ in 0..<50 { drive.failed(at: .seconds(200), delay: nil, random: 0.5) }
    #expect(drive.next(at: .seconds(200)) == .wait(until: .seconds(230)))
    // The end of the route is not the end of the drive before the server has it.
    guard case .send(let last) = drive.next(at: .seconds(600)) else { throw Unexpected() }
    #expect(last.remaining == 0)
    drive.failed(at: .seconds(600), delay: nil, random: 0.5)
    guard case .send = drive.next(at: .seconds(700)) else { throw Unexpected() }
    drive.succeeded(began: .seconds(700))
    #expect(drive.next(at: .seconds(700)) == .end)
  }

  @Test func aVehicleThatStandsStillSendsItsPlaceOnce() throws {
    let points = Array(repeating: RoutePoint(place: Self.end), count: 2)
    let found = reports(try drive(Route(points)))
    #expect(found.map { $0.report.place } == [Self.end])
  }

  @Test func repeatedPointsHaveNoDirection() throws {
    let places = [Self.corner, Self.corner, Self.end, Self.end]
    let found = reports(try drive(Route(places.map { RoutePoint(place: $0) })))
    #expect(found.allSatisfy { $0.report.heading == 90 })
  }

  @Test func aRouteAcrossTheAntimeridianIsShort() throws {
    let places = [179.99, -179.99].map { LatLng(latitude: 0, longitude: $0) }
    let found = reports(try drive(Route(places.map { RoutePoint(place: $0) })))
    #expect(found.allSatisfy { $0.report.place.longitude.magnitude >= 179.99 })
    #expect(found.allSatisfy { $0.report.heading == 90 })
  }

  @Test func noiseIsBoundedAndRepeatable() throws {
    let exact = reports(try drive())
    let noisy = try drive {
      $0.noise = 20
      $0.seed = "v1"
    }
    let distances = zip(reports(noisy), exact).map {
      distance($0.report.place, $1.report.place)
    }
    #expect(distances.allSatisfy { $0 <= 20.2 })
    #expect(distances.contains { $0 > 10 })
    #expect(reports(noisy).map(\.report) == reports(noisy).map(\.report))
    #expect(reports(noisy)[0].report.accuracy == 20)
    let other = try drive {
      $0.noise = 20
      $0.seed = "v2"
    }
    #expect(reports(other)[0].report.place != reports(noisy)[0].report.place)
  }

  @Test func longRoutesAreNotSent() throws {
    let points = (0...10_000).map {
      RoutePoint(place: LatLng(latitude: Double($0) / 1_000_000, longitude: 0))
    }
    var drive = try drive(Route(points))
    guard case .send(let report) = drive.next(at: .zero) else { throw Unexpected() }
    #expect(report.route == nil)
  }

  // MARK: Positions

  @Test func theNewestPositionIsSentOnceInEachInterval() throws {
    var drive = Drive(Drive.Options())
    #expect(drive.next(at: .zero) == .waitForPosition)
    drive.offer(Self.start, at: .seconds(1))
    guard case .send(let first) = drive.next(at: .seconds(1)) else { throw Unexpected() }
    #expect(first == LocationReport(place: Self.start))
    drive.succeeded(began: .seconds(1))
    #expect(drive.next(at: .seconds(2)) == .waitForPosition)
    drive.offer(Self.end, at: .seconds(3))
    drive.offer(Self.corner, at: .seconds(9))
    #expect(drive.next(at: .seconds(9)) == .wait(until: .seconds(11)))
    guard case .send(let second) = drive.next(at: .seconds(11)) else { throw Unexpected() }
    #expect(second.place == Self.corner)
    #expect(second.heading == 0)
    #expect(second.speed.map { Int($0) } == 138)
    // One that arrives during the call is sent next.
    drive.offer(Self.end, at: .seconds(12))
    drive.succeeded(began: .seconds(11))
    drive.endPositions()
    #expect(drive.next(at: .seconds(12)) == .wait(until: .seconds(21)))
    guard case .send(let third) = drive.next(at: .seconds(21)) else { throw Unexpected() }
    #expect(third.place == Self.end)
    drive.failed(at: .seconds(22), delay: nil, random: 0.5)
    guard case .send(let again) = drive.next(at: .seconds(23)) else { throw Unexpected() }
    #expect(again == third)
    drive.succeeded(began: .seconds(23))
    #expect(drive.next(at: .seconds(23)) == .end)
  }

  @Test func noPositionsAreNoDrive() {
    var drive = Drive(Drive.Options())
    drive.endPositions()
    #expect(drive.next(at: .zero) == .end)
    #expect(drive.plan == nil)
  }

  // MARK: Requests

  @Test func requestsNameTheirFields() {
    let time = Timestamp(seconds: 1)
    var report = LocationReport(
      place: Self.end, heading: 90, speed: 8, accuracy: 3, driven: 5, remaining: 9.6, route: "AQ")
    let request = report.request(vehicle: "providers/p/vehicles/v1", at: time)
    #expect(request.name == "providers/p/vehicles/v1")
    #expect(
      request.updateMask?.paths
        == ["last_location", "remaining_distance_meters", "current_route_segment"])
    #expect(request.vehicle?.currentRouteSegment == "AQ")
    #expect(request.vehicle?.remainingDistanceMeters == 10)
    #expect(request.vehicle?.lastLocation?.locationSensor == .gps)
    #expect(request.vehicle?.lastLocation?.updateTime == time)
    let delivery = report.request(deliveryVehicle: "providers/p/deliveryVehicles/v1", at: time)
    #expect(delivery.deliveryVehicle?.name == "providers/p/deliveryVehicles/v1")
    #expect(delivery.updateMask?.paths == ["last_location", "remaining_distance_meters"])
    #expect(delivery.deliveryVehicle?.lastLocation?.latlngAccuracy == 3)
    report = LocationReport(place: Self.end)
    #expect(report.request(vehicle: "v", at: time).updateMask?.paths == ["last_location"])
  }

  private struct Unexpected: Error {}
}
