import Testing
import Tripwire

@testable import RecordingAnalysis

@Suite struct ResponseGapsTests {
  @Test func recoveriesAreNotGaps() {
    var gaps = ResponseGaps(method: nil)
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
