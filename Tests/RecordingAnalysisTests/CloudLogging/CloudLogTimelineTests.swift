import Recording
import Testing

@testable import CommandShell
@testable import RecordingAnalysis

/// Do the timelines of resources have the events that Google's logs show?
@Suite struct CloudLogTimelineTests {
  private static func items(_ entries: [String], _ wanted: String?) throws -> [ResourceTimeline
    .Item]
  {
    let types = MessageTypes(pool: try EmbeddedSchema.pool([]))
    let timeline = ResourceTimeline(types, of: wanted.map(ResourceSelector.init(trip:)))
    var calls = CallNumbers()
    var items: [ResourceTimeline.Item] = []
    for entry in try ExampleLog.read(entries.joined()).entries {
      items += timeline.add(LoggedEntry(entry, of: calls.call(of: entry)))
    }
    return items + timeline.end()
  }

  /// The vehicle's location belongs to each of its trips, and keeps their status.
  @Test func theTimelineHasTheUpdatesOfTheVehicle() throws {
    let entries = [
      ExampleLog.entry(
        "CreateTrip", #""response":{"name":"providers/p/trips/t1","status":"TRIP_STATUS_NEW"}"#),
      ExampleLog.entry(
        "UpdateVehicle",
        #""response":{"name":"providers/p/vehicles/v1","currentTrips":["t1","t2"],"lastLocation":"#
          + #"{"rawLocation":{"latitude":1}}}"#, time: 5),
    ]
    let items = try Self.items(entries, nil)
    let changes = items.compactMap { item -> String? in
      guard case .changed(let fields) = item.event else { return nil }
      return "\(item.resource.name) \(item.call ?? 0) \(fields)"
    }
    #expect(
      changes == [
        #"providers/p/trips/t1 1 ["name", "tripStatus"]"#,
        #"providers/p/trips/t1 2 ["vehicleId", "lastLocation"]"#,
        #"providers/p/trips/t2 2 ["name", "vehicleId", "lastLocation"]"#,
        #"providers/p/vehicles/v1 2 ["name", "currentTrips", "lastLocation"]"#,
      ])
    #expect(try Self.items(entries, "t2").allSatisfy { $0.resource.name.hasSuffix("t2") })
  }

  /// Each method has gaps of its own, and an update of the vehicle does not end an outage of GetTrip.
  @Test func theAnswersOfTwoMethodsAreTwoSeries() throws {
    let times = Array(0..<6) + Array(30..<34)
    func entries(getTrip: String) -> [String] {
      times.flatMap { second in
        [
          ExampleLog.entry("GetTrip", second == 3 ? getTrip : Self.trip, time: second),
          ExampleLog.entry("UpdateVehicle", Self.vehicle, time: second + (second < 30 ? 0 : 8)),
        ]
      }
    }
    func words(_ entries: [String]) throws -> [String] {
      try Self.items(entries, "t1").compactMap { item -> String? in
        switch item.event {
        case .gap(let gap, _): "\(gap.method ?? "gap") \(gap.length / .seconds(1))"
        case .failed: "failed"
        case .recovered(let time, let errors):
          "recovered \(time.map { $0 / .seconds(1) } ?? 0) \(errors)"
        default: nil
        }
      }
    }
    #expect(try words(entries(getTrip: Self.trip)) == ["gap 25.0", "UpdateVehicle 33.0"])
    let error = #""request":{"tripId":"t1"},"errorResponse":{"code":14,"message":"no"}"#
    #expect(
      try words(entries(getTrip: error)) == [
        "failed", "recovered 2.0 1", "gap 25.0", "UpdateVehicle 33.0",
      ])
  }

  private static let trip =
    #""request":{"tripId":"t1"},"response":{"name":"providers/p/trips/t1","status":"TRIP_STATUS_NEW"}"#
  private static let vehicle =
    #""response":{"name":"providers/p/vehicles/v1","currentTrips":["t1"]}"#

  private static let places =
    #""name":"providers/p/trips/t1","pickupPoint":{"point":{"latitude":1.00000004}},"dropoffPoint":"#
    + #"{"point":{"latitude":2}}"#

  /// - Parameter trip: members of a trip.
  private static func update(_ status: String, _ trip: String, at time: Int) -> String {
    ExampleLog.entry(
      "UpdateTrip", #""response":{\#(places),"status":"TRIP_STATUS_\#(status)"\#(trip)}"#,
      time: time)
  }

  private static func eta(_ second: Int) -> String {
    #","etaToFirstWaypoint":"2026-11-21T09:30:0\#(second)Z""#
  }

  /// The arrivals, "pickup 1.0 s".
  private static func arrivals(_ entries: [String]) throws -> [String] {
    try items(entries, "t1").compactMap { item in
      guard case .check(let finding) = item.event, case .arrival(let arrival) = finding.detail
      else { return nil }
      return "\(arrival.stop) \(arrival.delay / .seconds(1)) s"
    }
  }

  @Test func comparesTheETAsOfStopsWithoutATripAndAType() throws {
    let stops = [1, 2].map { #"{"location":{"point":{"latitude":\#($0)}}}"# }
    let both = #","remainingWaypoints":[\#(stops.joined(separator: ","))]"#
    let last = #","remainingWaypoints":[\#(stops[1])]"#
    let vehicle = ExampleLog.entry(
      "UpdateVehicle",
      #""response":{"name":"providers/p/vehicles/v1","currentTrips":["t1"],"waypoints":[\#(stops[1])]"#
        + Self.eta(7) + "}", time: 6)
    #expect(
      try Self.arrivals([
        Self.update("ENROUTE_TO_PICKUP", both + Self.eta(3), at: 1),
        Self.update("ARRIVED_AT_PICKUP", both, at: 4),
        Self.update("ENROUTE_TO_DROPOFF", last, at: 5), vehicle,
        Self.update("COMPLETE", "", at: 9),
      ]) == ["pickup 1.0 s", "dropOff 2.0 s"])
  }

  /// As in logs of 2021.
  @Test func comparesTheETAsOfTheEndOfTheRouteSegment() throws {
    func next(_ type: String, trip: String = "t1") -> String {
      #","currentRouteSegmentEndPoint":{"tripId":"\#(trip)","type":"WAYPOINT_TYPE_\#(type)"}"#
    }
    func vehicle(_ next: String, eta: Int, at time: Int) -> String {
      ExampleLog.entry(
        "UpdateVehicle",
        #""response":{"name":"providers/p/vehicles/v1","currentTrips":["t1","t2"]"# + next
          + Self.eta(eta) + "}", time: time)
    }
    #expect(
      try Self.arrivals([
        Self.update("ENROUTE_TO_PICKUP", next("PICKUP") + Self.eta(3), at: 1),
        vehicle(next("PICKUP", trip: "t2"), eta: 2, at: 2),
        Self.update("ENROUTE_TO_DROPOFF", next("DROP_OFF"), at: 4),
        vehicle(next("DROP_OFF"), eta: 6, at: 5), Self.update("COMPLETE", "", at: 9),
      ]) == ["pickup 1.0 s", "dropOff 3.0 s"])
  }
}
