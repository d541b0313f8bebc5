import Recording
import TestSupport
import Testing
import WireSystem

@testable import CommandShell
@testable import Tripwire

@Suite struct CloudLogCopyTests {
  private static func log() -> TestLog {
    let request = GetTripRequest(name: "providers/p/trips/t1")
    var trip = Trip(name: request.name, vehicleId: "v1")
    var log = TestLog()
    log.getTrip(request, trip)
    trip.lastLocation = VehicleLocation(location: LatLng(latitude: 1, longitude: 2))
    log.getTrip(request, trip)
    return log
  }

  /// Returns the result, and the content of the new file.
  private static func exported(
    _ log: TestLog, _ options: String...
  ) async throws -> (code: ExitCode, error: String, text: String?) {
    try await withFile([]) { path in
      let copy = path + ".json"
      defer { unlink(copy) }
      let (code, _, error) = try await log.run(["--export-cloud-logging", copy] + options)
      let text = (try? LocalFile(copy).next(until: nil)).map { String(decoding: $0, as: UTF8.self) }
      return (code, error.replacing(copy, with: "OUT"), text)
    }
  }

  @Test func writesEachCallAndTheUpdateOfItsVehicle() async throws {
    let (code, error, text) = try await Self.exported(Self.log())
    #expect((code, error) == (.success, "OUT: 2 calls and 1 added update of vehicles\n"))
    let lines = try #require(text).split(separator: "\n")
    #expect(lines.count == 5 && lines.first == "[" && lines.last == "]")
    let expected = """
      {"insertId":"tripwire-1","jsonPayload":{"request":{"tripId":"t1","name":"providers/p/trips/t1"},\
      "response":{"name":"providers/p/trips/t1","vehicleId":"v1"},\
      "@type":"type.googleapis.com/maps.fleetengine.v1.GetTripLog"},"labels":{"trip_id":"t1"},\
      "logName":"projects/p/logs/fleetengine.googleapis.com%2Fget_trip",\
      "receiveTimestamp":"2026-11-21T09:30:00.035Z",\
      "resource":{"type":"fleetengine.googleapis.com/Fleet",\
      "labels":{"location":"global","resource_container":"projects/p"}},\
      "timestamp":"2026-11-21T09:30:00.035Z"},
      """
    #expect(lines[1] == expected)
    let update = lines[3]
    #expect(update.contains(#""insertId":"tripwire-2-vehicle""#))
    #expect(update.contains(#""labels":{"trip_id":"t1","vehicle_id":"v1","tripwire":"derived"}"#))
    #expect(update.contains(#""currentTrips":["t1"]"#))
    #expect(update.contains(#""rawLocation":{"latitude":1.0,"longitude":2.0}"#))
  }

  @Test func writesTheSelectedCalls() async throws {
    var log = Self.log()
    let id = log.begin()
    log.send(id, GetTripRequest())
    log.end(id, 14, "away")
    let (code, error, text) = try await Self.exported(log, "--errors")
    #expect((code, error) == (.success, "OUT: 1 call\n"))
    let expected = #""errorResponse":{"httpStatusCode":503,"code":"UNAVAILABLE","message":"away"}"#
    #expect(text?.contains(expected) == true)
  }

  @Test func writesTheStatusAfterACancel() async throws {
    var log = TestLog()
    for end in [{ $0.end($1, 4, "too late") }, { _, _ in }] as [(inout TestLog, UInt64) -> Void] {
      let id = log.begin()
      log.send(id, GetTripRequest(name: "providers/p/trips/t1"))
      log.add(id, .cancel)
      end(&log, id)
    }
    let (code, error, text) = try await Self.exported(log)
    #expect(
      (code, error) == (
        .success, "warning: 1 call omitted: canceled, without a status\nOUT: 1 call\n"
      ))
    #expect(text?.contains(#""code":"DEADLINE_EXCEEDED","message":"too late""#) == true)
  }

  @Test func namesTheCallsThatAreNotWritten() async throws {
    var log = Self.log()
    for method in ["/a.B/C", "/maps.fleetengine.v1.TripService/GetTrip"] {
      log.send(log.begin(method), GetTripRequest(name: "providers/p/trips/t1"))
    }
    let (code, error, _) = try await Self.exported(log)
    #expect(
      (code, error) == (
        .success,
        """
        warning: 1 call omitted: the end is not in the recording
        warning: 1 call omitted: not a method of Fleet Engine
        OUT: 2 calls and 1 added update of vehicles

        """
      ))
  }

  /// Such as that of a server.
  @Test func addsNoUpdateOfAVehicleThatHasRealOnes() async throws {
    var log = TestLog()
    let place = VehicleLocation(location: LatLng(latitude: 1, longitude: 2))
    for (vehicle, location) in [("v1", place), ("v2", nil)] {
      let name = "providers/p/vehicles/\(vehicle)"
      let id = log.begin("/maps.fleetengine.v1.VehicleService/UpdateVehicle")
      let update = Vehicle(name: name, lastLocation: location)
      log.send(id, UpdateVehicleRequest(name: name, vehicle: update))
      log.respond(id, update)
      log.getTrip(
        GetTripRequest(name: "providers/p/trips/t\(vehicle)"),
        Trip(name: "providers/p/trips/t\(vehicle)", vehicleId: vehicle, lastLocation: place))
    }
    let (code, error, text) = try await Self.exported(log)
    #expect((code, error) == (.success, "OUT: 4 calls and 1 added update of vehicles\n"))
    #expect(text?.contains(#""insertId":"tripwire-2-vehicle""#) == false)
    #expect(text?.contains(#""insertId":"tripwire-4-vehicle""#) == true)
  }

  @Test func omitsIncompleteMessages() async throws {
    var log = Self.log()
    log.entries[4].payloadTruncated = true
    let (code, error, _) = try await Self.exported(log)
    #expect(
      (code, error) == (
        .success,
        "warning: 1 call omitted: a message is incomplete or invalid\nOUT: 1 call and 1 added update"
          + " of vehicles\n"
      ))
  }

  @Test func writesDeliveries() async throws {
    let service = "/maps.fleetengine.delivery.v1.DeliveryService/"
    var log = TestLog()
    var id = log.begin(service + "GetTask")
    log.send(id, GetTaskRequest(name: "providers/p/tasks/k1"))
    log.end(id, 5, "none")
    id = log.begin(service + "GetDeliveryVehicle")
    let vehicle = DeliveryVehicle(
      name: "providers/p/deliveryVehicles/v1",
      lastLocation: DeliveryVehicleLocation(location: LatLng(latitude: 1, longitude: 2)))
    log.send(id, GetDeliveryVehicleRequest(name: vehicle.name))
    log.respond(id, vehicle)
    let (code, error, text) = try await Self.exported(log)
    #expect((code, error) == (.success, "OUT: 2 calls and 1 added update of vehicles\n"))
    let lines = try #require(text).split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[1].contains(#""request":{"taskId":"k1","name":"providers/p/tasks/k1"}"#))
    #expect(lines[1].contains(#""labels":{"task_id":"k1"}"#))
    #expect(lines[1].contains(#""type":"fleetengine.googleapis.com/DeliveryFleet""#))
    let type =
      #""@type":"type.googleapis.com/maps.fleetengine.delivery.v1.UpdateDeliveryVehicleLog""#
    #expect(lines[3].contains(type))
    #expect(lines[3].contains("%2Fupdate_delivery_vehicle"))
    #expect(lines[3].contains(#""request":{"deliveryVehicleId":"v1","deliveryVehicle":{"name""#))
    #expect(lines[3].contains(#""rawLocation":{"latitude":1.0,"longitude":2.0}"#))
    #expect(
      lines[3].contains(#""labels":{"delivery_vehicle_id":"v1","tripwire":"derived"}"#))
  }

  @Test(arguments: [["--json"], ["--summary"], ["--trip", "t1"], ["--anonymize", "x"], ["-f"]])
  func cannotBeCombinedWithOtherViews(options: [String]) async throws {
    let (code, output, _) = try await TestLog().run(["--export-cloud-logging", "x"] + options)
    #expect((code, output) == (.usage, ""))
  }
}
