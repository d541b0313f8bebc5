import Testing

@testable import RecordingAnalysis

@Suite struct ClockOffsetTests {
  private typealias Bound = ClockOffset.Bound

  @Test func intersectsTheBoundsOfAllCalls() {
    let offset = ClockOffset([
      Bound(least: 1), Bound(least: 2), Bound(most: 5), Bound(least: 0, most: 4),
    ])
    #expect(offset == ClockOffset(seconds: 3, uncertainty: 1))
  }

  @Test func ignoresBoundsThatContradictMostOthers() {
    let good = (0..<5).map { Bound(least: 10 - Double($0), most: 11 + Double($0)) }
    let offset = ClockOffset(good + [Bound(most: -3), Bound(least: 80, most: 81)])
    #expect(offset == ClockOffset(seconds: 10.5, uncertainty: 0.5))
  }

  @Test func isUnknownWithoutALimitOnOneSide() {
    #expect(ClockOffset([]) == nil)
    #expect(ClockOffset([Bound(least: 1), Bound(least: 2)]) == nil)
    #expect(ClockOffset([Bound(most: 1)]) == nil)
  }

  @Test func acceptsBoundsThatTouch() {
    let offset = ClockOffset([Bound(least: -90, most: -90), Bound(least: -90.5, most: -90)])
    #expect(offset == ClockOffset(seconds: -90, uncertainty: 0))
    #expect(offset?.isWithinUncertainty == false)
    #expect(ClockOffset([Bound(least: -1, most: 2)])?.isWithinUncertainty == true)
  }
}
