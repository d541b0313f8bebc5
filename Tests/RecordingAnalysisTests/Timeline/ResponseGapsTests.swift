import Testing
import Tripwire

@testable import RecordingAnalysis

@Suite struct ResponseGapsTests {
  private static func text(_ events: [TimelineEvent]) -> [String] {
    events.map { event in
      switch event {
      case .gap(let interval, let usual, let latency):
        "\(interval), usual \(usual), latency \(latency.map { "\($0)" } ?? "unknown")"
      case .gaps(let count, let total, let longest, let now):
        "\(count) in \(total), longest \(longest), now \(now.map { "\($0)" } ?? "unknown")"
      default: "unexpected"
      }
    }
  }

  @Test func reportsTheFirstOfConsecutiveGapsAndThenTheirNumber() {
    var gaps = ResponseGaps()
    var events: [TimelineEvent] = []
    for seconds in [2, 2, 2, 9, 7, 8, 2] {
      events += gaps.receive(after: .seconds(seconds), .milliseconds(35), isRecovery: false)
    }
    #expect(
      Self.text(events) == [
        "9.0 seconds, usual 2.0 seconds, latency 0.035 seconds",
        "3 in 24.0 seconds, longest 9.0 seconds, now 2.0 seconds",
      ])
    #expect(gaps.end().isEmpty)
  }

  @Test func recoveriesAreNotGaps() {
    var gaps = ResponseGaps()
    for _ in 0..<3 { _ = gaps.receive(after: .seconds(2), nil, isRecovery: false) }
    #expect(gaps.receive(after: .seconds(60), nil, isRecovery: true).isEmpty)
    #expect(gaps.receive(after: nil, nil, isRecovery: false).isEmpty)
  }

  @Test func pollingIntervalIsTheDefaultUntilThreeResponses() {
    var interval = ResponseInterval()
    #expect(interval.usual == TripModelOptions.defaultRefreshInterval)
    for milliseconds in [200, 210, 190] {
      let isGap = interval.add(.milliseconds(milliseconds))
      #expect(!isGap)
    }
    #expect(interval.usual == .milliseconds(200))
    // Three times as long, but less than a second.
    let isGap = interval.add(.milliseconds(999))
    #expect(!isGap)
    let isLongGap = interval.add(.milliseconds(1_001))
    #expect(isLongGap)
  }
}
