import Testing

@testable import RecordingAnalysis

@Suite struct SpanListTests {
  private static func list(_ spans: [(TripSpan.State, Double)]) -> SpanList {
    var list = SpanList()
    var start = 0.0
    for (state, seconds) in spans {
      list.add(state, from: start, to: start + seconds)
      start += seconds
    }
    return list
  }

  private static let slow = TripSpan.State.stale(.slow(longest: 9))
  private static let old = TripSpan.State.stale(.oldAnswers(count: 1))

  @Test func theLongerNeighborTakesOverASpanWithoutACause() {
    let list = Self.list([(Self.slow, 20), (.current, 30), (Self.old, 25)])
    #expect(
      list.absorbed(shorterThan: 10) == [
        TripSpan(start: 0, end: 20, state: Self.slow),
        TripSpan(start: 20, end: 75, state: Self.old),
      ])
  }

  @Test func equalSpansAroundAShortOneAreMerged() {
    let list = Self.list([(Self.slow, 20), (Self.old, 5), (Self.slow, 20)])
    #expect(
      list.absorbed(shorterThan: 10) == [TripSpan(start: 0, end: 45, state: Self.slow)])
    #expect(list.absorbed(shorterThan: 5).count == 3)
  }

  @Test func shortSpansLeaveNoGaps() {
    let list = Self.list((0..<10_000).map { ($0 % 2 == 0 ? Self.slow : Self.old, 1) })
    let spans = list.absorbed(shorterThan: 10)
    #expect(spans.first?.start == 0 && spans.last?.end == 10_000)
    #expect(spans.allSatisfy { $0.seconds >= 10 })
    #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end == $1.start })
  }

  @Test func onlyCurrentSpansBecomeStill() {
    let list = Self.list([(.current, 50), (Self.slow, 50), (.current, 50)])
    #expect(
      list.marked(still: [10...20, 30...120, 140...200]) == [
        TripSpan(start: 0, end: 10, state: .current),
        TripSpan(start: 10, end: 20, state: .still),
        TripSpan(start: 20, end: 30, state: .current),
        TripSpan(start: 30, end: 50, state: .still),
        TripSpan(start: 50, end: 100, state: Self.slow),
        TripSpan(start: 100, end: 120, state: .still),
        TripSpan(start: 120, end: 140, state: .current),
        TripSpan(start: 140, end: 150, state: .still),
      ])
  }
}
