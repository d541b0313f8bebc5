import Recording
import RecordingAnalysis
import Testing

@testable import CommandShell
@testable import RecordingCommands
@testable import Tripwire

@Suite struct TimelineViewTests {
  private static func request(since second: Int64? = nil) -> GetTripRequest {
    GetTripRequest(
      name: "providers/p/trips/t1",
      currentRouteSegmentVersion: second.map { TestLog.time($0 * 1_000) })
  }

  private static func trip(_ status: TripStatus, version: Int64, route: String = "") -> Trip {
    Trip(
      name: "providers/p/trips/t1", tripStatus: status, currentRouteSegment: route,
      currentRouteSegmentVersion: TestLog.time(version * 1_000))
  }

  private static func words(_ log: TestLog) async throws -> [String] {
    let (code, output, error) = try await log.run("--trip", "t1")
    #expect((code, error) == (.success, ""))
    return output.split(separator: "\n").dropFirst().map { String($0.dropFirst(24)) }
  }

  @Test func showsTheMergedTrip() async throws {
    var log = TestLog()
    log.getTrip(Self.request(), Self.trip(.new, version: 1, route: "_p~iF~ps|U_ulLnnqC"))
    log.getTrip(Self.request(since: 1), Self.trip(.enrouteToPickup, version: 1))
    log.getTrip(Self.request(since: 1), Self.trip(.enrouteToPickup, version: 0))
    log.getTrip(Self.request(), Self.trip(.enrouteToPickup, version: 3))
    #expect(
      try await Self.words(log) == [
        "requested the whole trip", "status: new", "route: 2 points, 253 km",
        "requested changes since 09:30:01 (route)", "status: enroute to pickup",
        "response ignored: it is older than the known trip", "requested the whole trip", "no route",
      ])
  }

  @Test func saysWhyAnIncompleteResponseIsIgnored() {
    #expect(
      TimelineEvent.missingBase.textOfIgnoredResponse(of: .trip)
        == "incomplete response, not used: no earlier response contains the parts that it leaves out"
    )
  }

  /// Earlier responses still determine the trip.
  @Test func showsTheSelectedTime() async throws {
    var log = TestLog()
    for (index, status) in [TripStatus.new, .enrouteToPickup, .arrivedAtPickup].enumerated() {
      log.now = Int64(index) * 10_000
      log.getTrip(Self.request(), Self.trip(status, version: 1))
    }
    func words(_ options: String...) async throws -> [String] {
      try await log.run(["--trip", "t1"] + options).output.split(separator: "\n").dropFirst()
        .map { String($0.dropFirst(24)) }
    }
    #expect(
      try await words("--since", "09:30:10", "--until", "09:30:20") == ["status: enroute to pickup"]
    )
    #expect(try await words("--until", "09:30:10") == ["requested the whole trip", "status: new"])
    let json = try await log.run("--trip", "t1", "--json", "--since", "09:30:10").output
    #expect(json.split(separator: "\n").prefix(2).last?.contains(#""before":"NEW""#) == true)
    let (code, output, error) = try await log.run("--trip", "t1", "--since", "09:40")
    #expect((code, output) == (.success, ""))
    #expect(error == "warning: the trip has no events in the selected time\n")
  }

  @Test func reportsEachErrorOnceWithItsDuration() async throws {
    var log = TestLog()
    for (code, count) in [(14, 3), (4, 2)] as [(UInt32, Int)] {
      for _ in 0..<count {
        let id = log.begin()
        log.send(id, Self.request())
        log.now += 1_000
        log.end(id, code, "away")
      }
    }
    log.getTrip(Self.request(), Self.trip(.new, version: 1))
    log.now += 5_000
    let id = log.begin()
    log.send(id, Self.request())
    log.end(id, 14, "away")
    log.now += 15_000
    log.getTrip(Self.request(), Self.trip(.new, version: 1))
    #expect(
      try await Self.words(log) == [
        "requested the whole trip", "error: UNAVAILABLE: away", "error: DEADLINE_EXCEEDED: away",
        "recovered after 4.035 s without a successful response, 5 errors", "status: new",
        "error: UNAVAILABLE: away",
        "recovered after 20.035 s without a successful response, 1 error",
      ])
  }

  /// Two polls, and a canceled one between them.
  private static func canceledLog(_ end: (inout TestLog, UInt64) -> Void) -> TestLog {
    var log = TestLog()
    log.getTrip(request(), trip(.new, version: 1))
    let id = log.begin()
    log.send(id, request())
    log.add(id, .cancel)
    log.now += 10
    end(&log, id)
    log.getTrip(request(), trip(.enrouteToPickup, version: 2))
    return log
  }

  @Test func reportsTheStatusAfterACancel() async throws {
    let failed = Self.canceledLog { $0.end($1, 4, "too late") }
    #expect(
      try await Self.words(failed) == [
        "requested the whole trip", "status: new", "GetTrip canceled by the client",
        "error: DEADLINE_EXCEEDED: too late",
        "recovered after 45.0 ms without a successful response, 1 error",
        "status: enroute to pickup",
      ])
    let answered = Self.canceledLog { $0.respond($1, Self.trip(.arrivedAtPickup, version: 2)) }
    #expect(
      try await Self.words(answered).suffix(3) == [
        "GetTrip canceled by the client", "status: arrived at pickup", "status: enroute to pickup",
      ])
  }

  /// Some clients record a status for their own CANCEL.
  @Test func reportsACanceledCallOnce() async throws {
    let logs = [
      Self.canceledLog { _, _ in }, Self.canceledLog { $0.end($1, 1, "by user", isLocal: true) },
    ]
    for log in logs {
      #expect(
        try await Self.words(log) == [
          "requested the whole trip", "status: new", "GetTrip canceled by the client",
          "status: enroute to pickup",
        ])
    }
  }

  @Test func distinguishesLoggersAndTripsWithTheSameID() async throws {
    var log = TestLog()
    log.getTrip(Self.request(), Self.trip(.new, version: 1))
    var other = Self.request()
    other.name = "providers/q/trips/t1"
    log.getTrip(other, Self.trip(.complete, version: 1))
    let first = log.entries.count - 5
    log.getTrip(Self.request(), Self.trip(.canceled, version: 1))
    for index in (first + 5)..<log.entries.count { log.entries[index].logger = .server }
    let words = try await Self.words(log)
    #expect(words.contains("status: new"))
    #expect(words.contains("providers/q/trips/t1  status: complete"))
    #expect(words.contains("providers/p/trips/t1 (server)  status: canceled"))
  }

  @Test func ignoresIncompleteResponses() async throws {
    var log = TestLog()
    log.getTrip(Self.request(), Self.trip(.new, version: 1))
    log.entries[4].payloadTruncated = true
    #expect(
      try await Self.words(log) == [
        "requested the whole trip", "response ignored: it is incomplete or not a trip",
      ])
  }

  @Test func reportsAStaleVehicleLocation() async throws {
    var log = TestLog()
    var trip = Self.trip(.enrouteToPickup, version: 1)
    for (second, place) in [(0, 1), (20, 1), (50, 2), (100, 2)] as [(Int64, Double)] {
      log.now = second * 1_000
      let location = VehicleLocation(
        location: LatLng(latitude: place, longitude: 3), numStaleUpdates: Int32(second))
      trip.lastLocation = location
      log.getTrip(Self.request(), trip)
    }
    let words = try await Self.words(log)
    #expect(
      words.filter { $0.contains("vehicle") } == [
        "new vehicle location after 50 s",
        "no new vehicle location for 50 s: responses repeat an old location",
      ])
  }

  /// The event has the time at which the limit passes, and the reason.
  @Test func reportsWhenAVehicleLocationBecomesStale() async throws {
    var log = TestLog()
    var trip = Self.trip(.enrouteToPickup, version: 1)
    for second in stride(from: 0, to: 150, by: 5) as StrideTo<Int64> {
      log.now = second * 1_000
      var location = VehicleLocation()
      // The location is old from 20 to 60 s and missing from 80 s on.
      location.location = LatLng(
        latitude: second > 20 && second < 60 ? 20 : Double(second), longitude: 3)
      location.updateTime = TestLog.time(second > 20 && second < 60 ? 20_000 : log.now)
      trip.lastLocation = second < 80 ? location : nil
      log.getTrip(Self.request(), trip)
    }
    let lines = try await log.run("--trip", "t1").output.split(separator: "\n")
    #expect(
      lines.filter { $0.contains("vehicle") }.map { $0.prefix(12) + $0.dropFirst(22) } == [
        "09:30:55.035  no new vehicle location for 35 s: responses repeat the location of 09:30:20",
        "09:31:00.035  new vehicle location after 40 s",
        "09:31:50.035  no new vehicle location for 35 s: responses have no location",
        "09:32:25.035  no new vehicle location for 1 min 10 s at the end",
      ])
    let json = try await log.run("--trip", "t1", "--json").output
    #expect(json.contains(#""location":"old","updateTime":"2026-11-21T09:30:20Z"}"#))
    #expect(json.contains(#""location":"missing"}"#))
  }

  @Test func reportsConsecutiveGapsOnce() async throws {
    var log = TestLog()
    for index in 0..<20 {
      let id = log.begin()
      log.send(id, Self.request())
      log.now += 8..<13 ~= index ? 2_000 : 35
      log.respond(id, Self.trip(.new, version: 1))
      log.now += 165
    }
    #expect(
      try await Self.words(log) == [
        "requested the whole trip", "status: new",
        "no response for 2.165 s (usual interval 200.0 ms); this response took 2 s",
        "5 gaps in a row: total 10.825 s, longest 2.165 s; the interval is now 200.0 ms",
      ])
  }

  /// A different next stop is not a delay.
  @Test func comparesETAsOfTheSameStop() async throws {
    func stop(_ type: WaypointType, _ place: Double, _ eta: Int64) -> TripWaypoint {
      let stop = TripWaypoint(
        location: TerminalLocation(point: LatLng(latitude: place, longitude: 1)), tripId: "t1",
        waypointType: type, eta: TestLog.time(eta * 1_000))
      return stop
    }
    var log = TestLog()
    let pickup = { stop(.pickup, 1, $0) }
    let dropoff = { stop(.dropOff, 2, $0) }
    for stops in [
      [pickup(600), dropoff(900)], [pickup(630), dropoff(900)], [pickup(660), dropoff(900)],
      [dropoff(1_000)], [dropoff(940)], [],
    ] {
      log.getTrip(Self.request(), Trip(name: "providers/p/trips/t1", remainingWaypoints: stops))
    }
    let words = try await Self.words(log).filter { $0.contains("ETA") }
    #expect(
      words == [
        "ETA at next stop: 09:40:00", "ETA at next stop: 09:41:00, 1 min later",
        "ETA at next stop: 09:46:40", "ETA at next stop: 09:45:40, 1 min earlier",
        "ETA at next stop: —",
      ])
    let json = try await log.run("--trip", "t1", "--json").output.split(separator: "\n")
    let etas = json.filter { $0.contains(#""event":"eta""#) }
    #expect(etas.map { $0.contains(#""before":"#) } == [false, true, false, true, false])
    #expect(etas.first?.contains(#""waypointType":"PICKUP_WAYPOINT_TYPE""#) == true)
    #expect(
      json.first { $0.contains(#""event":"stops""#) }?.hasSuffix(
        #""stops":2,"waypointTypes":["PICKUP_WAYPOINT_TYPE","DROP_OFF_WAYPOINT_TYPE"]}"#) == true)
  }

  @Test func jsonListsTheChangedFields() async throws {
    var log = TestLog()
    log.getTrip(Self.request(), Self.trip(.new, version: 1))
    var moved = Self.trip(.new, version: 1)
    for second in [1, 2] as [Int32] {
      // Neither the age of a location nor a version stamp is a change of the trip.
      moved.lastLocation = VehicleLocation(timeSinceUpdate: second)
      moved.currentRouteSegmentVersion = TestLog.time(Int64(second) * 1_000)
      log.getTrip(Self.request(), moved)
    }
    let json = try await log.run("--trip", "t1", "--json").output.split(separator: "\n")
    let changes = json.filter { $0.contains(#""event":"changed""#) }
    #expect(changes.count == 2)
    #expect(changes.first?.hasSuffix(#","changed":["name","tripStatus"]}"#) == true)
    #expect(changes.last?.hasSuffix(#","changed":["lastLocation"]}"#) == true)
    #expect(try await Self.words(log) == ["requested the whole trip", "status: new"])
  }

  @Test func reportsARecordingThatStartsMidway() async throws {
    var log = TestLog()
    log.getTrip(Self.request(since: 1), Self.trip(.enrouteToPickup, version: 1))
    log.getTrip(Self.request(since: 1), Self.trip(.enrouteToPickup, version: 1))
    #expect(
      try await Self.words(log).prefix(2) == [
        "the recording starts in the middle of the trip: stops and route are unknown until they change",
        "requested changes since 09:30:01 (route)",
      ])
    let json = try await log.run("--trip", "t1", "--json").output.split(separator: "\n")
    #expect(json.map { $0.contains(#""event":"midway""#) }.prefix(2) == [true, false])
  }

  @Test func listsFailingTripsInOrderOfTheirCalls() async throws {
    var log = TestLog()
    for (provider, count) in [("z", 1), ("a", 2), ("q", 1)] {
      for _ in 0..<count {
        let request = GetTripRequest(name: "providers/\(provider)/trips/t1")
        let id = log.begin()
        log.send(id, request)
        log.end(id, 14)
        log.now += 1_000
      }
    }
    #expect(
      try await Self.words(log).suffix(3) == [
        "providers/z/trips/t1  still failing at the end: 1 error, no successful response for 3 s",
        "providers/a/trips/t1  still failing at the end: 2 errors, no successful response for 2 s",
        "providers/q/trips/t1  still failing at the end: 1 error",
      ])
  }

  /// People read the gap and the stale location in other lines.
  @Test func jsonHasTheFindingsOfTheChecks() async throws {
    var log = TestLog()
    var trip = Self.trip(.enrouteToPickup, version: 1)
    for (second, place) in [(0, 1), (5, 1), (10, 1.1), (60, 1.1)] as [(Int64, Double)] {
      log.now = second * 1_000
      trip.lastLocation = VehicleLocation(
        location: LatLng(latitude: place, longitude: 3), updateTime: TestLog.time(second * 1_000))
      log.getTrip(Self.request(), trip)
    }
    let lines = try await log.run("--trip", "t1", "--json").output.split(separator: "\n")
    let start = #"{"time":"2026-11-21T09:30:"#
    let middle = #"Z","name":"providers/p/trips/t1","call":"#
    let findings = lines.filter { $0.contains(#""event":"check""#) }.map(String.init)
    #expect(
      findings == [
        start + "05.035" + middle
          + #"3,"event":"check","check":"jump","until":"2026-11-21T09:30:10.035Z","#
          + #""text":"11.1 km in 5 s (8006 km/h)","meters":11120,"seconds":5}"#,
        start + "10.035" + middle
          + #"4,"event":"check","check":"gap","until":"2026-11-21T09:31:00.035Z","#
          + #""text":"no response for 50 s (usual interval 5 s)","seconds":50}"#,
        start + "10.035" + middle
          + #"4,"event":"check","check":"stale","until":"2026-11-21T09:31:00.035Z","#
          + #""text":"no new location for 50 s","seconds":50}"#,
      ])
    let checks = try await Self.words(log).filter { $0.contains("check ") }
    #expect(checks == ["check jump: 11.1 km in 5 s (8006 km/h)"])
  }

  /// (38.5, -120.2) to (40.7, -120.95) is 252.6 km long; (38.5, -120.2) to (38.5, -120.3) 8.7 km.
  @Test func textComparesTheLengthOfAnotherRoute() async throws {
    var log = TestLog()
    for (index, route) in ["_p~iF~ps|U_ulLnnqC", "_p~iF~ps|U?~oR"].enumerated() {
      log.now = Int64(index) * 5_000
      log.getTrip(
        Self.request(), Self.trip(.enrouteToPickup, version: Int64(index + 1), route: route))
    }
    let checks = try await Self.words(log).filter { $0.contains("check ") }
    #expect(checks == ["check route: another route of 8.7 km, 244 km shorter"])
  }

  @Test func textSaysThatAVehicleStandsStill() async throws {
    var log = TestLog()
    var trip = Self.trip(.enrouteToPickup, version: 1)
    for second in stride(from: 0, through: 250, by: 10) as StrideThrough<Int64> {
      log.now = second * 1_000
      trip.lastLocation = VehicleLocation(
        location: LatLng(latitude: 1, longitude: 3), updateTime: TestLog.time(second * 1_000))
      log.getTrip(Self.request(), trip)
    }
    #expect(
      try await Self.words(log).last
        == "check dwell: 4 min 10 s at 1.00000, 3.00000, since 09:30:00")
  }
}
