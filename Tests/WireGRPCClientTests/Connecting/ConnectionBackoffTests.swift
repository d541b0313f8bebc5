import Testing

@testable import WireGRPCClient

@Suite struct ConnectionBackoffTests {
  @Test func growsByAFactorUpToTwoMinutes() {
    var backoff = ConnectionBackoff()
    let delays = (0..<14).map { _ in backoff.next(random: 0.5) / .seconds(1) }
    let expected = [1, 1.6, 2.56, 4.096, 6.5536, 10.48576]
    for (delay, value) in zip(delays, expected) { #expect(abs(delay - value) < 1e-6) }
    #expect(delays.suffix(2).allSatisfy { abs($0 - 120) < 1e-6 })
  }

  @Test func jitterIsTwentyPercentEitherWay() {
    var low = ConnectionBackoff()
    var high = ConnectionBackoff()
    #expect(abs(low.next(random: 0) / .seconds(1) - 0.8) < 1e-6)
    #expect(abs(high.next(random: 1) / .seconds(1) - 1.2) < 1e-6)
  }
}
