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
