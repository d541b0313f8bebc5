import Testing
import Tripwire
import WireProtobuf

@testable import RecordingAnalysis

@Suite struct SentLocationTests {
  private static func location(_ time: Double?, north: Double) -> LocationReport {
    LocationReport(
      VehicleLocation(
        location: LatLng(latitude: 50 + north / 111_195, longitude: 8),
        updateTime: time.flatMap { Timestamp(secondsSince1970: $0) }))
  }

  private static func results(
    _ updates: [(sent: LocationReport, accepted: LocationReport?)]
  ) -> [SentLocation.Result] {
    SentLocation.all(
      updates.map {
        .init(
          call: 1, time: 0, end: 0, outcome: .init(code: .ok), sent: $0.sent, accepted: $0.accepted)
      }
    ).map(\.result)
  }

  @Test func comparesEachUpdateWithItsResponse() {
    let first = Self.location(1, north: 0)
    let moved = Self.location(6, north: 40)
    let far = Self.location(11, north: 200_000)
    let old = Self.location(3, north: 20)
    let results = Self.results([
      (first, first), (moved, moved), (far, moved), (old, moved),
      (Self.location(16, north: 50), nil),
      (Self.location(21, north: 60), Self.location(21, north: 800)),
    ])
    #expect(results.count == 6)
    #expect(results[0] == .accepted && results[1] == .accepted && results[4] == .unknown)
    guard case .discarded(.jump(let meters, let seconds)) = results[2] else {
      Issue.record("\(results[2])")
      return
    }
    #expect((199_000...201_000).contains(meters) && seconds == 5)
    #expect(results[3] == .discarded(.older(seconds: 3)))
    guard case .changed(let moved) = results[5] else {
      Issue.record("\(results[5])")
      return
    }
    #expect((735...745).contains(moved))
  }

  @Test func placesDecideWithoutTimes() {
    let here = Self.location(nil, north: 0)
    let there = Self.location(nil, north: 500)
    #expect(
      Self.results([(here, here), (there, here), (LocationReport(VehicleLocation()), here)]) == [
        .accepted, .discarded(.unknown), .discarded(.noPlace),
      ])
  }
}
