import Testing

@testable import Tripwire

@Suite struct StoredInstantTests {
  /// 2^63 x 2^9 attoseconds are 79 minutes.
  @Test(arguments: [0, 1, 4_722, 4_723, 86_400, 3_000_000_000, -1, -4_723, -86_400])
  func anInstantKeepsItsNanoseconds(seconds: Int) {
    let instant = ContinuousClock.now + .seconds(seconds)
    let lost = instant - StoredInstant(instant).instant
    #expect(lost >= .zero && lost < .nanoseconds(1))
    let next = StoredInstant(instant) + .seconds(5)
    #expect(next.instant - StoredInstant(instant).instant == .seconds(5))
  }
}
