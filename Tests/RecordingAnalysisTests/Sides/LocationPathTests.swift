import Testing
import Tripwire
import WireProtobuf

@testable import RecordingAnalysis

@Suite struct LocationPathTests {
  private static func location(_ time: Double) -> LocationReport {
    LocationReport(
      VehicleLocation(
        location: LatLng(latitude: 50 + time / 11_119, longitude: 8),
        updateTime: Timestamp(secondsSince1970: time),
        serverTime: Timestamp(secondsSince1970: time + 0.5)))
  }

  private static func poll(_ end: Double, _ location: LocationReport?) -> TripEvidence.Poll {
    .init(call: 1, start: end, end: end, outcome: .init(code: .ok), location: location)
  }

  private static func evidence() -> TripEvidence {
    var evidence = TripEvidence()
    evidence.updates = [10, 15, 20].map {
      let location = location($0)
      return .init(
        call: 1, time: $0 + 0.5, end: $0 + 0.5, outcome: .init(code: .ok), sent: location,
        accepted: location)
    }
    // The location of 15 is never in an answer.
    evidence.answers = [poll(12, location(10)), poll(14, location(10)), poll(22, location(20))]
    evidence.polls = [poll(12.25, location(10)), poll(14.25, location(10)), poll(23, location(20))]
    return evidence
  }

  private static func paths(_ evidence: TripEvidence) -> [LocationPath] {
    LocationPath.all(evidence, SentLocation.all(evidence.updates))
  }

  @Test func hasTheFirstTimeOfEachStep() {
    let paths = Self.paths(Self.evidence())
    #expect(paths.map(\.measured) == [10, 15, 20])
    #expect(paths.map(\.received) == [10.5, 15.5, 20.5])
    #expect(paths.map(\.answered) == [12, nil, 22])
    #expect(paths.map(\.shown) == [12.25, nil, 23])
    #expect(paths.map { $0.delay(.total) } == [2.25, nil, 3])
    #expect(paths.map { $0.delay(.downlink) } == [0.25, nil, 1])
  }

  @Test func timesThatAServerRoundsAreTheSame() {
    var evidence = Self.evidence()
    for index in evidence.updates.indices {
      evidence.updates[index].sent.updateTime?.nanos += 123_000
    }
    let paths = Self.paths(evidence)
    #expect(paths.map { $0.sent?.result } == [.accepted, .accepted, .accepted])
    #expect(paths.map(\.answered) == [12, nil, 22])
  }

  @Test func worksWithOneSideOnly() {
    var evidence = Self.evidence()
    evidence.updates = []
    evidence.answers = []
    let paths = Self.paths(evidence)
    #expect(paths.map(\.received) == [10.5, 20.5])
    #expect(paths.map { $0.delay(.total) } == [2.25, 3])
    #expect(paths.map { $0.delay(.wait) } == [nil, nil])
  }

  @Test func percentilesAreOfKnownDelays() throws {
    let paths = Self.paths(Self.evidence())
    let delays = try #require(LocationPath.percentiles(of: .total, paths))
    #expect(delays.median == 2.25 && delays.p95 == 3 && delays.worst == 3)
    #expect(LocationPath.percentiles(of: .total, []) == nil)
  }
}
