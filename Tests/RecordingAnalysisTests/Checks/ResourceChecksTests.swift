import Testing
import Tripwire
import WireProtobuf

@testable import RecordingAnalysis

@Suite struct ResourceChecksTests {
  /// A trip that is polled every five seconds, and its findings.
  private final class Poll {
    private let history = ResourceHistory()
    private let request = ResourceRequest.whole
    var trip = Trip()
    var findings: [RecordingCheck.Finding] = []

    init(_ status: TripStatus = .enrouteToPickup) {
      trip.name = "providers/p/trips/t1"
      trip.vehicleId = "v1"
      trip.tripStatus = status
    }

    /// A location `north` meters north of the first, measured and sent at `measured`.
    func locate(north: Double, measured: Double, server: Double? = nil) {
      let location = VehicleLocation(
        location: LatLng(latitude: 50 + north / 111_195, longitude: 8),
        updateTime: ResourceChecksTests.time(measured),
        serverTime: ResourceChecksTests.time(server ?? measured))
      trip.lastLocation = location
    }

    func respond(at seconds: Double, after latency: Double = 0.1) {
      take(
        history.receive(
          .trip(trip), to: request, at: ResourceChecksTests.time(seconds),
          sent: ResourceChecksTests.time(seconds - latency)))
    }

    func fail(_ code: StatusCode, at seconds: Double) {
      take(history.fail(code, "away", isLocal: false, at: ResourceChecksTests.time(seconds)))
    }

    func end(at seconds: Double) { take(history.end(at: ResourceChecksTests.time(seconds))) }

    private func take(_ events: [TimelineEvent]) {
      for case .check(let finding) in events { findings.append(finding) }
    }

    /// The findings of a check, in seconds.
    func periods(_ check: RecordingCheck) -> [[Double]] {
      findings.filter { $0.check == check }.map { finding in
        [finding.time, finding.until].map { time in
          difference(from: ResourceChecksTests.time(0), to: time) / .seconds(1)
        }
      }
    }
  }

  private static func time(_ seconds: Double) -> Timestamp {
    let whole = seconds.rounded(.down)
    return Timestamp(
      seconds: 1_795_253_400 + Int64(whole), nanos: Int32((seconds - whole) * 1e3) * 1_000_000)
  }

  private static func stop(_ type: WaypointType, eta: Double) -> TripWaypoint {
    TripWaypoint(tripId: "t1", waypointType: type, eta: time(eta))
  }

  /// A moving vehicle with clocks that agree.
  @Test func findNothingInAnOrdinaryTrip() {
    let poll = Poll()
    for second in stride(from: 0.0, to: 300, by: 5) {
      poll.locate(north: 10 * second, measured: second - 1, server: second - 0.5)
      poll.respond(at: second)
    }
    poll.end(at: 300)
    #expect(poll.findings.isEmpty)
  }

  @Test func findGapsBetweenPolls() {
    let poll = Poll()
    for second in [0.0, 5, 10, 15, 40, 70, 75] { poll.respond(at: second) }
    #expect(poll.periods(.gap) == [[15, 40], [40, 70]])
  }

  @Test func findErrorsAndTheirDuration() throws {
    let poll = Poll()
    poll.respond(at: 0)
    poll.fail(.unavailable, at: 5)
    poll.fail(.deadlineExceeded, at: 10)
    poll.respond(at: 35)
    poll.fail(.internal, at: 40)
    poll.end(at: 42)
    #expect(poll.periods(.error) == [[5, 35], [40, 42]])
    #expect(poll.periods(.gap) == [])
    guard
      case .errors(count: 2, .unavailable, message: "away", isLocal: false)? =
        poll.findings.first?.detail
    else {
      Issue.record("\(poll.findings)")
      return
    }
  }

  @Test func findStaleLocations() {
    let poll = Poll()
    for second in stride(from: 0.0, through: 60, by: 5) {
      if second < 10 || second == 50 { poll.locate(north: second, measured: second) }
      poll.respond(at: second)
    }
    for second in stride(from: 65.0, through: 90, by: 5) { poll.respond(at: second) }
    poll.end(at: 95)
    #expect(poll.periods(.stale) == [[5, 50], [50, 95]])
  }

  @Test func findStaleLocationsUntilTheTripIsOver() {
    let poll = Poll()
    poll.locate(north: 0, measured: 0)
    for second in stride(from: 0.0, through: 40, by: 5) { poll.respond(at: second) }
    poll.trip.tripStatus = .complete
    poll.respond(at: 45)
    poll.end(at: 95)
    #expect(poll.periods(.stale) == [[0, 45]])
  }

  @Test func findImplausibleSpeed() throws {
    let poll = Poll()
    for (second, north) in [(0, 0), (5, 50), (10, 1_050), (15, 1_100), (20, 1_199)] {
      poll.locate(north: Double(north), measured: Double(second))
      poll.respond(at: Double(second) + 0.5)
    }
    // 99 m at once are within the errors of two locations, and so is a long way in a long time.
    poll.locate(north: 1_298, measured: 20.1)
    poll.respond(at: 25)
    poll.locate(north: 9_000, measured: 140)
    poll.respond(at: 140)
    #expect(poll.periods(.jump) == [[5.5, 10.5]])
    guard case .jump(let meters, seconds: 5)? = poll.findings.first?.detail else {
      Issue.record("\(poll.findings)")
      return
    }
    #expect(abs(meters - 1_000) < 1)
  }

  @Test func findTimesThatGoBack() {
    let poll = Poll()
    poll.locate(north: 0, measured: 100, server: 100)
    poll.respond(at: 100)
    poll.locate(north: 0, measured: 99, server: 101)
    poll.respond(at: 105)
    poll.locate(north: 0, measured: 103, server: 98)
    poll.respond(at: 103)
    let sources = poll.findings.compactMap { finding -> String? in
      guard case .backwards(let source, by: let step) = finding.detail else { return nil }
      return "\(source) \(step / .seconds(1))"
    }
    #expect(sources == ["vehicle 1.0", "client 2.0", "server 3.0"])
  }

  @Test func findWhereTheVehicleDwells() throws {
    let poll = Poll()
    for second in stride(from: 0.0, through: 400, by: 5) {
      // It stands from 100 to 300, with errors of the location.
      let north = min(second, 100) + max(second - 300, 0)
      poll.locate(
        north: 10 * north + (second < 300 ? second.truncatingRemainder(dividingBy: 2) : 0),
        measured: second)
      poll.respond(at: second)
    }
    poll.end(at: 400)
    #expect(poll.periods(.dwell) == [[100, 300]])
    // The same location again and again says nothing about the vehicle.
    let silent = Poll()
    silent.locate(north: 0, measured: 0)
    for second in stride(from: 0.0, through: 400, by: 5) { silent.respond(at: second) }
    silent.end(at: 400)
    #expect(silent.periods(.dwell) == [])
  }

  @Test func compareThePromisedArrivalAtEachStop() throws {
    let poll = Poll()
    poll.trip.remainingWaypoints = [
      Self.stop(.pickup, eta: 60), Self.stop(.dropOff, eta: 300),
    ]
    poll.respond(at: 0)
    poll.trip.remainingWaypoints[0].eta = Self.time(95)
    poll.respond(at: 50)
    poll.trip.tripStatus = .arrivedAtPickup
    poll.respond(at: 90)
    // The stop goes when the vehicle leaves.
    poll.trip.tripStatus = .enrouteToDropoff
    poll.trip.remainingWaypoints.removeFirst()
    poll.respond(at: 100)
    poll.trip.tripStatus = .complete
    poll.trip.remainingWaypoints = []
    poll.respond(at: 290)
    #expect(poll.periods(.eta) == [[60, 90], [290, 300]])
    let delays = poll.findings.compactMap { finding -> [Double]? in
      guard case .arrival(let arrival) = finding.detail else { return nil }
      return [arrival.delay, arrival.lastDelay].map { $0 / .seconds(1) }
    }
    #expect(delays == [[30, -5], [-10, -10]])
  }

  @Test func aStopThatIsChangedOrCanceledIsNoArrival() {
    let poll = Poll()
    poll.trip.remainingWaypoints = [Self.stop(.pickup, eta: 60), Self.stop(.dropOff, eta: 300)]
    poll.respond(at: 0)
    poll.trip.remainingWaypoints[0].location = TerminalLocation(point: LatLng(latitude: 1))
    poll.respond(at: 5)
    poll.trip.tripStatus = .canceled
    poll.trip.remainingWaypoints = []
    poll.respond(at: 10)
    #expect(poll.periods(.eta) == [])
  }

  @Test func compareTheClocks() {
    func kinds(_ poll: Poll) -> [String] {
      poll.end(at: 100)
      return poll.findings.compactMap { finding in
        guard case .clock(let kind, let amount) = finding.detail else { return nil }
        return "\(kind) \(amount / .seconds(1))"
      }
    }
    func poll(vehicle: Double, server: Double) -> Poll {
      let poll = Poll()
      for second in stride(from: 0.0, through: 40, by: 5) {
        poll.locate(north: 10 * second, measured: second + vehicle, server: second + server)
        poll.respond(at: second)
      }
      return poll
    }
    #expect(kinds(poll(vehicle: -1, server: 0)) == [])
    #expect(kinds(poll(vehicle: 20, server: 20)) == ["clientBehind 20.0"])
    // The location came after the request before, five seconds ago.
    #expect(kinds(poll(vehicle: -61, server: -60)) == ["clientAhead 54.9"])
    #expect(kinds(poll(vehicle: 8, server: 0)) == ["vehicleAhead 8.0"])
    #expect(kinds(poll(vehicle: -31, server: 0)) == ["vehicleBehind 31.0"])
  }

  @Test func findInaccurateLocationsAndOtherSensors() {
    let poll = Poll()
    let values: [(Double, LocationSensor)] = [
      (5, .gps), (60, .gps), (200, .network), (20, .network), (20, .unknownSensor), (5, .gps),
    ]
    for (index, (accuracy, sensor)) in values.enumerated() {
      poll.locate(north: Double(index), measured: Double(5 * index))
      poll.trip.lastLocation?.latlngAccuracy = accuracy
      poll.trip.lastLocation?.locationSensor = sensor
      poll.respond(at: Double(5 * index))
    }
    #expect(poll.periods(.accuracy) == [[10, 10], [5, 15], [25, 25]])
    guard case .inaccurate(worst: 200, .network)? = poll.findings.dropFirst().first?.detail else {
      Issue.record("\(poll.findings)")
      return
    }
  }

  @Test func findOtherRoutes() throws {
    func route(_ points: [(Double, Double)]) -> [LatLng] {
      points.map { LatLng(latitude: $0.0, longitude: $0.1) }
    }
    let poll = Poll()
    poll.trip.route = route([(1, 1), (1, 2), (1, 3)])
    poll.respond(at: 0)
    // The vehicle advances.
    poll.trip.route = route([(1, 1.5), (1, 2), (1, 3)])
    poll.respond(at: 5)
    poll.trip.route = route([(1, 2.5), (1, 3)])
    poll.respond(at: 10)
    #expect(poll.periods(.route) == [])
    poll.trip.route = route([(1, 2.5), (2, 2.5), (1, 3)])
    poll.respond(at: 15)
    poll.trip.route = []
    poll.respond(at: 20)
    #expect(poll.periods(.route) == [[15, 15]])
  }

  @Test func anotherVehicleDoesNotJump() {
    let poll = Poll()
    poll.locate(north: 0, measured: 10)
    poll.respond(at: 10)
    poll.trip.vehicleId = "v2"
    poll.locate(north: 9_000, measured: 9)
    poll.respond(at: 15)
    #expect(poll.findings.isEmpty)
  }

  /// Times and places of a damaged file.
  @Test func acceptImpossibleValues() {
    let poll = Poll()
    for value in [Double.nan, .infinity, -.infinity, 1e300] {
      for seconds in [Int64.min, .max, 0] {
        let location = VehicleLocation(
          location: LatLng(latitude: value, longitude: value), latlngAccuracy: value,
          updateTime: Timestamp(seconds: seconds, nanos: .min),
          serverTime: Timestamp(seconds: seconds, nanos: .max))
        poll.trip.lastLocation = location
        poll.trip.remainingWaypoints = [Self.stop(.pickup, eta: 0)]
        poll.trip.remainingWaypoints[0].eta = location.updateTime
        poll.trip.tripStatus = poll.trip.tripStatus == .complete ? .new : .complete
        poll.respond(at: 1)
      }
    }
    poll.end(at: 2)
  }
}
