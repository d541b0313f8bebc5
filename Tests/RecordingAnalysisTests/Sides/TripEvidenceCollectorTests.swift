import Recording
import Testing
import Tripwire

@testable import RecordingAnalysis

@Suite struct TripEvidenceCollectorTests {
  private static func evidence(_ log: SidesLog) throws -> TripEvidence {
    let collector = TripEvidenceCollector(try SidesLog.types(), of: ResourceSelector(trip: "t1"))
    for entry in log.entries { collector.add(entry) }
    return try #require(collector.finish().first { _ in true })
  }

  /// The client gives up before it has the last state, and the server answers others long after it.
  @Test func aTripEndsWithItsLastState() throws {
    var log = SidesLog()
    for time in stride(from: 1_000.0, to: 1_100, by: 5) {
      log.get(SidesLog.trip(time), from: time, to: time + 0.2)
      log.get(SidesLog.trip(time), from: time + 0.1, to: time + 0.1, by: .server)
    }
    log.get(SidesLog.trip(1_100, .complete), from: 1_130, to: 1_130, by: .server)
    log.get(SidesLog.trip(1_100, .complete), from: 9_000, to: 9_000, by: .server)
    let evidence = try Self.evidence(log)
    #expect(evidence.start == 1_000 && evidence.end == 1_130)
    let spans = TripSpans(evidence).spans
    #expect(spans.map(\.seconds).reduce(0, +) == 130 && spans.last?.end == 1_130)
    #expect(!evidence.isOfSeveralClients)
  }

  @Test func aTripEndsWhenTheClientSeesItsLastState() throws {
    var log = SidesLog()
    log.get(SidesLog.trip(1_000), from: 1_000, to: 1_001)
    log.get(SidesLog.trip(1_000, .complete), from: 1_010, to: 1_010, by: .server)
    log.get(SidesLog.trip(1_000, .complete), from: 1_012, to: 1_013)
    #expect(try Self.evidence(log).end == 1_013)
  }
}
