import FleetEngineAPI
import Recording
import TestSupport
import Testing
import WireGRPC
import WireSystem

@testable import CommandShell

@Suite struct RecordedMapViewTests {
  /// Returns the result, and the data in the page.
  private func mapped(
    _ log: TestLog, _ options: String...
  ) async throws -> (code: ExitCode, error: String, data: String?) {
    try await withTemporaryDirectory { directory in
      for name in ["leaflet.js", "leaflet.css"] { try appendToFile("\(directory)/\(name)", []) }
      let page = "\(directory)/map.html"
      let (code, _, error) = try await log.run(
        ["--map", page, "--leaflet", directory] + options)
      let html = (try? LocalFile.contents(of: page, limit: 1 << 24)).map {
        String(decoding: $0, as: UTF8.self)
      }
      let packed = html?.split(separator: "id=\"recording\">").last?.prefix { $0 != "<" }
      let data = try packed.flatMap { Base64.decode(String($0)) }.map {
        String(decoding: try Inflater.inflate($0, limit: 1 << 24), as: UTF8.self)
      }
      return (code, error.replacing(page, with: "OUT"), data)
    }
  }

  private static func request(_ id: String = "t1") -> GetTripRequest {
    GetTripRequest(name: "providers/p/trips/\(id)")
  }

  private static func trip(_ id: String = "t1", _ status: TripStatus = .enrouteToPickup) -> Trip {
    Trip(
      name: "providers/p/trips/\(id)", tripStatus: status,
      lastLocation: VehicleLocation(location: LatLng(latitude: 1, longitude: 2)))
  }

  @Test func pageHasCallsFramesAndChecks() async throws {
    var log = TestLog()
    log.getTrip(Self.request(), Self.trip())
    log.now += 5_000
    log.end(log.begin(), 14, "overloaded")
    log.now += 5_000
    log.getTrip(Self.request(), Self.trip("t1", .arrivedAtPickup))
    let (code, error, data) = try await mapped(log)
    #expect(code == .success && error.hasPrefix("OUT: 3 calls, 1 trip, "))
    let text = try #require(data)
    #expect(text.contains(#""trips":[{"name":"providers/p/trips/t1","staleAfter":"#))
    #expect(text.contains(#""summary":"tripStatus""#))
    #expect(text.contains(#""changes":{"tripStatus":"ARRIVED_AT_PICKUP"}"#))
    #expect(text.contains(#""code":"UNAVAILABLE""#))
    #expect(text.contains(#""id":"gap""#))
  }

  @Test func failedCallKeepsTheTripAndAddsTheError() async throws {
    var log = TestLog()
    log.getTrip(Self.request(), Self.trip())
    log.now += 5_000
    let call = log.begin()
    log.send(call, Self.request())
    log.end(call, 14, "overloaded")
    let text = try #require(try await mapped(log).data)
    #expect(
      text.contains(
        #""error":{"code":"UNAVAILABLE","message":"overloaded","since":1795253405.035}"#))
    #expect(text.ranges(of: #""status":"ENROUTE_TO_PICKUP""#).count == 2)
  }

  @Test func callWithoutAnEndAddsNoState() async throws {
    var log = TestLog()
    log.getTrip(Self.request(), Self.trip("t1", .new))
    log.send(log.begin(), Self.request())
    log.now += 5_000
    log.getTrip(Self.request(), Self.trip())
    let text = try #require(try await mapped(log).data)
    #expect(text.ranges(of: #""status":"ENROUTE_TO_PICKUP""#).count == 1)
    #expect(text.contains(#""code":"unfinished""#) && !text.contains(#""error":"#))
  }

  @Test func canceledCallHasTheStatusThatFollows() async throws {
    var log = TestLog()
    log.getTrip(Self.request(), Self.trip())
    for hasStatus in [true, false] {
      let call = log.begin()
      log.send(call, Self.request())
      log.add(call, .cancel)
      log.now += 10
      if hasStatus { log.end(call, 4, "too late") }
    }
    log.getTrip(Self.request(), Self.trip("t1", .arrivedAtPickup))
    let (_, error, data) = try await mapped(log)
    #expect(error.hasPrefix("OUT: 4 calls, 1 trip, "))
    let text = try #require(data)
    #expect(
      text.contains(#""code":"DEADLINE_EXCEEDED","message":"too late","summary":"too late""#))
    #expect(text.ranges(of: #""code":"cancelled""#).count == 1)
    // Its frame has the trip of that time.
    #expect(text.ranges(of: #""status":"ARRIVED_AT_PICKUP""#).count == 1)
  }

  @Test func bothSidesOfACallAreTwoTrips() async throws {
    var log = TestLog()
    for logger in [BinlogGrpcLogEntry.Logger.client, .server] {
      let call = log.begin(logger: logger)
      log.add(call, .clientMessage, TestLog.message(Self.request().serializedBytes()), logger)
      log.add(call, .serverHeader, nil, logger)
      log.add(call, .serverMessage, TestLog.message(Self.trip().serializedBytes()), logger)
      log.add(call, .serverTrailer, .trailer(.init()), logger)
    }
    let text = try #require(try await mapped(log).data)
    #expect(text.contains(#""name":"providers/p/trips/t1 (server)""#))
  }

  @Test func selectionLimitsTheMap() async throws {
    var log = TestLog()
    log.getTrip(Self.request(), Self.trip())
    log.getTrip(Self.request("t2"), Self.trip("t2"))
    let (_, error, data) = try await mapped(log, "--resource", "t2")
    #expect(error.hasPrefix("OUT: 1 call, 1 trip, "))
    #expect(try #require(data).contains("trips/t1") == false)
  }

  @Test func emptyRecordingIsAnError() async throws {
    let (code, error, _) = try await mapped(TestLog())
    #expect(code == .localFailure)
    #expect(
      error.hasPrefix(
        "error: --map OUT: the recording contains no calls\n"
          + "hint: pass a recording with calls, such as one made with --record\n"))
  }

  @Test func streamShowsItsFirstMessages() async throws {
    var log = TestLog()
    let call = log.begin()
    for number in 1...12 {
      let request = Self.request("t\(number)")
      log.add(call, .clientMessage, TestLog.message(request.serializedBytes()))
    }
    log.end(call)
    let text = try #require(try await mapped(log).data)
    #expect(text.contains(#"{"name":"providers/p/trips/t10"},"… 2 more"]"#))
    #expect(!text.contains("trips/t11"))
  }

  @Test func tripsBeyondTheLimitSayThatTheyAreNotMerged() async throws {
    var log = TestLog()
    for number in 0...1_000 { log.getTrip(Self.request("t\(number)"), Self.trip("t\(number)")) }
    let (_, error, data) = try await mapped(log)
    #expect(error.contains("only the first 1000 resources are on the map"))
    let note = #""note":"Only the first 1000 resources of a recording are merged.""#
    #expect(try #require(data).ranges(of: note).count == 1)
    #expect(data?.contains(#"trips/t1000","staleAfter":15,"# + note) == true)
  }

  @Test func ignoredResponseIsDescribedAsInTheTimeline() async throws {
    var log = TestLog()
    log.getTrip(Self.request(), Self.trip())
    log.entries[4].payloadTruncated = true
    let timeline = try await log.run("--trip", "t1").output
    let text = "response ignored: it is incomplete or not a trip"
    #expect(timeline.contains(text))
    #expect(try await mapped(log).data?.contains("\"summary\":\"\(text)\"") == true)
  }

  @Test func echoedCredentialsAreMasked() async throws {
    var log = TestLog()
    let call = log.begin(metadata: [("authorization", Array("Bearer some-opaque-token".utf8))])
    log.send(call, Self.request())
    log.end(call, 16, "invalid token some-opaque-token")
    let data = try #require(try await mapped(log).data)
    #expect(data.contains("invalid token *****"))
    #expect(!data.contains("opaque"))
  }

  @Test func otherCallsNeedNoTrip() async throws {
    var log = TestLog()
    log.end(log.begin("/other.Service/Method"))
    let (code, error, data) = try await mapped(log)
    #expect(code == .success)
    #expect(error.contains("the recording has no trips and no deliveries, so the map is empty"))
    #expect(try #require(data).contains(#""method":"other.Service/Method""#))
  }
}
