import Testing

@testable import TripRelay

@Suite struct PositionTests {
  @Test func replySubjectsOfBothFormsAreParsed() throws {
    let old = try #require(Position("$JS.ACK.TRIPS.c1.1.42.7.1700000000500000000.3"))
    #expect((old.consumer, old.pending) == (7, 3))
    #expect(old.time == 1_700_000_000.5)
    #expect(Position("$JS.ACK._.ACC.TRIPS.c1.1.42.7.1700000000500000000.3.x") == old)
  }

  @Test(arguments: [nil, "", "a.b", "$JS.ACK.TRIPS.c1.1.42.7.x.3", "_INBOX.1"])
  func otherSubjectsAreRefused(reply: String?) {
    #expect(Position(reply) == nil)
  }
}
