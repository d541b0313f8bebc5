import Testing

@testable import TripwireGoogleAuth

@Suite struct SignerOutageTests {
  private struct Failure: Error {}

  @Test func pausesDoubleUpToTenSeconds() {
    var outage = SignerOutage()
    var time = 0.0
    for pause in [1.0, 2, 4, 8, 10, 10] {
      #expect(outage.failure(at: time) == nil)
      outage.fail(Failure(), at: time)
      // Other calls of the same moment.
      outage.fail(Failure(), at: time + pause / 2)
      #expect(outage.failure(at: time + pause - 0.01) != nil)
      time += pause
    }
  }

  @Test func signatureEndsTheOutage() {
    var outage = SignerOutage()
    outage.fail(Failure(), at: 0)
    outage.succeed()
    #expect(outage.failure(at: 0) == nil)
    outage.fail(Failure(), at: 1)
    #expect(outage.failure(at: 2) == nil)
  }
}
