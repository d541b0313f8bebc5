import Testing

@testable import WireGRPCClient

@Suite struct RefusedStreamsTests {
  /// Interprets refusals by a server that allows one stream; each stream is the last one opened.
  private func refuse(
    _ streams: [Int32], limit: Int = 1, answered: Int32 = 1
  ) -> [RefusedStreams.Cause] {
    var refused = RefusedStreams()
    return streams.map {
      refused.refused(
        $0, earlier: Int($0) / 2, limit: limit, lastOpened: $0, lastAnswered: answered)
    }
  }

  private func milliseconds(_ pauses: Int...) -> [RefusedStreams.Cause] {
    pauses.map { .streamLimit(pause: .milliseconds($0)) }
  }

  @Test func pausesIfTheServerStillCountsTheLastCall() {
    #expect(refuse([3]) == milliseconds(10))
  }

  @Test func pausesGrowWithConsecutiveRefusals() {
    #expect(
      refuse([3, 5, 7, 9, 11, 13, 15, 17, 19])
        == milliseconds(10, 20, 40, 80, 160, 320, 640, 1000, 1000))
  }

  @Test func rejectsRefusalsThatEarlierCallsCannotExplain() {
    #expect(refuse([1, 3, 5]) == [.callRejected, .callRejected, .callRejected])
    // The server can count at most two streams.
    #expect(refuse([5], limit: 3) == [.callRejected])
    #expect(refuse([7], limit: 3) == milliseconds(10))
    #expect(refuse([199], limit: .max) == [.callRejected])
  }

  @Test func doesNotCountRefusedStreams() {
    #expect(refuse([1, 5, 7]) == [.callRejected] + milliseconds(10, 20))
    #expect(refuse([1, 3], answered: 0) == [.callRejected, .callRejected])
  }

  @Test func responseAfterThePauseResetsThePauses() {
    var refused = RefusedStreams()
    func cause(_ stream: Int32, answered: Int32) -> RefusedStreams.Cause {
      refused.refused(
        stream, earlier: Int(stream) / 2, limit: 1, lastOpened: stream, lastAnswered: answered)
    }
    #expect(cause(3, answered: 1) == .streamLimit(pause: .milliseconds(10)))
    #expect(cause(5, answered: 1) == .streamLimit(pause: .milliseconds(20)))
    #expect(cause(9, answered: 7) == .streamLimit(pause: .milliseconds(10)))
  }

  @Test func streamsOpenedBeforeThePauseCauseNoOtherPause() {
    var refused = RefusedStreams()
    func cause(_ stream: Int32) -> RefusedStreams.Cause {
      refused.refused(stream, earlier: Int(stream) / 2, limit: 2, lastOpened: 7, lastAnswered: 3)
    }
    #expect(cause(5) == .streamLimit(pause: .milliseconds(10)))
    #expect(cause(7) == .streamLimit(pause: nil))
  }
}
