import Testing
import Tripwire
import WireProtobuf

@testable import RecordingAnalysis

@Suite struct ResourceHistoryTests {
  private static func time(_ seconds: Int64) -> Timestamp {
    Timestamp(seconds: 1_795_253_400 + seconds)
  }

  private static func trip(_ status: TripStatus) -> Trip {
    Trip(name: "providers/p/trips/t1", tripStatus: status)
  }

  @Test func reportsConsecutiveErrorsOnceAndTheRecovery() throws {
    let history = ResourceHistory()
    let request = ResourceRequest.whole
    let first = history.send(request)
    guard case .requested(let stamps)? = first.first, first.count == 1 else {
      Issue.record("\(first)")
      return
    }
    #expect(stamps.isEmpty)
    #expect(history.send(request).isEmpty)
    #expect(history.fail(.unavailable, "away", isLocal: true, at: Self.time(0)).count == 1)
    #expect(history.fail(.unavailable, "away", isLocal: true, at: Self.time(1)).isEmpty)
    let end = history.end(at: Self.time(2))
    guard case .failingAtEnd(.seconds(2), errors: 2)? = end.first else {
      Issue.record("\(end)")
      return
    }
    let events = history.receive(.trip(Self.trip(.new)), to: request, at: Self.time(5), sent: nil)
    guard events.count == 4, case .recovered(after: .seconds(5), errors: 2) = events[0],
      case .changed(fields: ["name", "tripStatus"]) = events[1],
      case .status(let status, previous: nil) = events[2], status.name == "NEW",
      case .check = events[3]
    else {
      Issue.record("\(events)")
      return
    }
  }

  @Test func reportsALocationThatDoesNotChange() {
    let history = ResourceHistory()
    let request = ResourceRequest.whole
    var trip = Self.trip(.enrouteToPickup)
    trip.lastLocation = VehicleLocation(location: LatLng(latitude: 1, longitude: 2))
    var events: [TimelineEvent] = []
    for second in [0, 20, 31, 50] as [Int64] {
      events = history.receive(.trip(trip), to: request, at: Self.time(second), sent: nil)
      let isStale = events.contains { if case .locationStale = $0 { true } else { false } }
      #expect(isStale == (second == 31))
    }
    let end = history.end(at: Self.time(60))
    guard case .locationStaleAtEnd(.seconds(60))? = end.first else {
      Issue.record("\(end)")
      return
    }
  }

  /// Places that differ by less than 10^-6 degrees are the same.
  @Test func comparesStops() {
    func stop(_ latitude: Double) -> TripWaypoint {
      TripWaypoint(
        location: TerminalLocation(point: LatLng(latitude: latitude, longitude: 2)), tripId: "t1")
    }
    let history = ResourceHistory()
    var trip = Self.trip(.new)
    for (latitude, isChange) in [(1.0, true), (1.000_000_01, false), (1.000_01, true)] {
      trip.remainingWaypoints = [stop(latitude)]
      let events = history.receive(
        .trip(trip), to: .whole, at: Self.time(0), sent: nil)
      let isReported = events.contains { if case .stops = $0 { true } else { false } }
      #expect(isReported == isChange, "\(latitude)")
    }
  }
}
