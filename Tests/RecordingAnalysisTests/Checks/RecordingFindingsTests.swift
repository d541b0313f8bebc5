import Testing
import Tripwire

@testable import RecordingAnalysis

@Suite struct RecordingFindingsTests {
  private static func item(_ event: TimelineEvent) -> ResourceTimeline.Item {
    ResourceTimeline.Item(
      event: event,
      resource: ResourceTimeline.Key(.trip, name: "providers/p/trips/t1", isOfServer: false),
      time: Timestamp(seconds: 9), call: 1)
  }

  private static let stale = RecordingCheck.Finding(
    .stale, from: Timestamp(seconds: 1), to: Timestamp(seconds: 9))

  @Test func hasAListForEachCheck() {
    var findings = RecordingFindings()
    findings.add(Self.item(.check(Self.stale)))
    findings.add(Self.item(.outdatedResponse))
    #expect(findings.lists.map(\.check) == RecordingCheck.allCases)
    let counts = findings.lists.map { ($0.check.rawValue, $0.findings.count) }
    #expect(counts.filter { $0.1 > 0 }.map(\.0) == ["stale"])
  }

  @Test func limitsItsSize() {
    var findings = RecordingFindings()
    for _ in 0..<(RecordingFindings.limit + 3) { findings.add(Self.item(.check(Self.stale))) }
    let list = findings.lists.first { $0.check == .stale }
    #expect(list?.findings.count == RecordingFindings.limit)
    #expect(list?.omitted == 3)
  }

  @Test func eachCheckHasOneLineOfExplanation() {
    for check in RecordingCheck.allCases {
      #expect(!check.title.isEmpty)
      #expect(check.explanation.last == "." && check.explanation.utf8.count < 100)
    }
  }
}
