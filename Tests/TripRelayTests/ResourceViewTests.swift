import Testing
import WireProtobuf

@testable import TripRelay

/// What a reader shows, at given instants.
@Suite struct ResourceViewTests {
  private typealias Verdict = ResourceView.Verdict

  private let start = ContinuousClock.now
  private var view: ResourceView

  init() {
    view = ResourceView(at: start)
  }

  // MARK: Order

  @Test mutating func statesOfATermAreShownInTheirOrder() {
    #expect(take(5, of: "w1", sequence: 3) == .show)
    #expect(take(6, of: "w1", sequence: 4) == .show)
    #expect(take(6, of: "w1", sequence: 4) == .ignore)
    #expect(take(7, of: "w1", sequence: 2) == .ignore)
    #expect(take(7, of: "w1", sequence: 9) == .show)
  }

  @Test mutating func anotherTermIsShownIfItWasPolledAfterTheLastMessage() {
    #expect(take(5, of: "w1", sequence: 3) == .show)
    // Both workers replaced the message 4.
    #expect(take(6, of: "w2", sequence: 3, after: 4) == .ignore)
    #expect(take(7, of: "w2", sequence: 4, after: 6) == .show)
    #expect(take(8, of: "w1", sequence: 4, after: 5) == .ignore)
    #expect(take(9, of: "w1", term: 2, sequence: 5, after: 7) == .show)
  }

  @Test mutating func errorOfAnotherTermIsShownWithoutItsResource() {
    #expect(take(5, of: "w1", sequence: 3) == .show)
    #expect(take(6, of: "w2", sequence: 4, hasError: true) == .showError)
    #expect(take(7, of: "w2", sequence: 5, after: 6) == .show)
  }

  @Test mutating func nothingFollowsAFinalState() {
    #expect(take(5, of: "w1", sequence: 3) == .show)
    #expect(take(6, of: "w2", sequence: 3, isFinal: true) == .show)
    #expect(view.isOver)
    #expect(take(7, of: "w1", sequence: 4, after: 6) == .ignore)
    #expect(take(8, of: "w2", sequence: 4, after: 6) == .ignore)
  }

  @Test mutating func workerOfTheFirstVersionIsOrderedByTheStream() {
    #expect(take(5, of: "w1", term: 0, sequence: 3) == .show)
    #expect(take(7, of: "w2", term: 0, sequence: 2) == .show)
    #expect(take(6, of: "w3", term: 0, sequence: 1) == .ignore)
    #expect(take(8, of: "w3", term: 1, sequence: 4, after: 7) == .show)
  }

  @Test mutating func readThatWasOpenAtAReconnectionIsRepeated() {
    #expect(view.next(at: start) == .read)
    view.reconnected(at: start)
    #expect(view.next(at: start) == .request(isUnanswered: false))
    #expect(!view.isDue(at: start))
    // A state that arrives meanwhile does not replace it.
    #expect(take(5, of: "w1", sequence: 3) == .show)
    view.readFailed(at: start)
    #expect(view.next(at: start) == .read)
    view.readEnded(at: start)
    #expect(!view.isDue(at: start))
  }

  // MARK: Streams

  @Test mutating func termContinuesInANewStream() {
    #expect(take(5, of: "w1", sequence: 3, stream: 10) == .show)
    #expect(take(1, of: "w1", sequence: 4, stream: 20) == .show)
  }

  @Test mutating func anotherTermInANewStreamIsShownFromItsSecondPollOn() {
    #expect(take(5, of: "w1", sequence: 3, stream: 10) == .show)
    #expect(take(1, of: "w2", sequence: 1, stream: 20) == .ignore)
    #expect(take(2, of: "w2", sequence: 2, after: 0, stream: 20) == .ignore)
    #expect(take(3, of: "w2", sequence: 3, after: 2, stream: 20) == .show)
  }

  @Test mutating func earlierStreamIsComparedWithTheLastMessage() {
    readLast()
    #expect(take(5, of: "w1", sequence: 3, stream: 20) == .show)
    #expect(view.next(at: start + .seconds(1)) == nil)
    // A late message, or the clock of the server that created the new stream is behind.
    #expect(take(1, of: "w2", sequence: 1, stream: 10) == .ignore)
    #expect(view.next(at: start + .seconds(1)) == .read)
    #expect(takeLast(1, of: "w2", sequence: 1, stream: 10) == .ignore)
    #expect(take(2, of: "w2", sequence: 2, after: 1, stream: 10) == .show)
  }

  @Test mutating func lastMessageIsReadAgainIfAnotherArrivedMeanwhile() {
    readLast()
    #expect(take(5, of: "w1", sequence: 3, stream: 20) == .show)
    #expect(take(1, of: "w2", sequence: 1, stream: 10) == .ignore)
    #expect(view.next(at: start + .seconds(1)) == .read)
    #expect(take(6, of: "w1", sequence: 4, stream: 20) == .show)
    #expect(takeLast(1, of: "w2", sequence: 1, stream: 10) == .ignore)
    #expect(take(2, of: "w2", sequence: 2, after: 1, stream: 10) == .ignore)
  }

  // MARK: Problems

  @Test mutating func stateIsShownAgainAfterAProblem() {
    #expect(take(5, of: "w1", sequence: 3) == .show)
    view.problemShown()
    #expect(take(5, of: "w1", sequence: 3) == .show)
    view.problemShown()
    #expect(take(4, of: "w1", sequence: 2) == .endProblem)
    view.problemShown()
    #expect(view.take(last: nil, at: start) == .endProblem)
    #expect(view.take(last: nil, at: start) == .ignore)
  }

  @Test mutating func firstStateIsMissingAfterTenHealthySeconds() {
    #expect(!view.isStateMissing(since: start, at: start + .seconds(10)))
    #expect(view.isStateMissing(since: start, at: start + .milliseconds(10_001)))
    #expect(!view.isStateMissing(since: start + .seconds(5), at: start + .seconds(12)))
    #expect(take(1, of: "w1", sequence: 1) == .show)
    #expect(!view.isStateMissing(since: start, at: start + .seconds(60)))
  }

  // MARK: Requests

  @Test mutating func lastMessageIsReadAfterThirtySecondsWithoutAState() {
    readLast()
    #expect(!view.isDue(at: start + .seconds(14)))
    _ = take(5, of: "w1", sequence: 3, at: .seconds(10))
    _ = view.next(at: start + .seconds(20))
    view.requestEnded(at: start + .seconds(20), random: 0.999)
    #expect(!view.isDue(at: start + .seconds(39)))
    #expect(view.next(at: start + .seconds(40)) == .read)
    view.readFailed(at: start + .seconds(45))
    #expect(!view.isDue(at: start + .milliseconds(45_999)))
    #expect(view.next(at: start + .seconds(46)) == .read)
  }

  @Test mutating func requestIsRenewedUntilTheResourceIsFinal() {
    readLast()
    #expect(view.next(at: start + .milliseconds(14_999)) == nil)
    #expect(view.next(at: start + .seconds(15)) == .request(isUnanswered: true))
    view.requestFailed(at: start + .seconds(15))
    view.reconnected(at: start + .seconds(15))
    #expect(view.next(at: start + .seconds(15)) == .read)
    #expect(view.next(at: start + .seconds(15)) == .request(isUnanswered: false))
    view.requestEnded(at: start + .seconds(15), random: 0)
    _ = take(5, of: "w1", sequence: 3, isFinal: true)
    #expect(view.next(at: start + .seconds(100)) == nil)
  }

  @Test mutating func requestWithoutAnswerIsNoticed() {
    readLast()
    #expect(view.next(at: start + .seconds(15)) == .request(isUnanswered: true))
    view.requestEnded(at: start + .seconds(15), random: 0)
    _ = take(5, of: "w1", sequence: 3, at: .seconds(16))
    #expect(view.next(at: start + .seconds(30)) == .request(isUnanswered: false))
    view.requestEnded(at: start + .seconds(30), random: 0)
    // The last message was read again, from another copy of the stream.
    _ = takeLast(9, of: "w1", sequence: 3, stream: 10)
    #expect(view.next(at: start + .seconds(45)) == .request(isUnanswered: true))
    view.requestEnded(at: start + .seconds(45), random: 0)
    // It is not clear yet whether the first renewal is answered.
    view.reconnected(at: start + .seconds(46))
    #expect(view.next(at: start + .seconds(46)) == .read)
    #expect(view.next(at: start + .seconds(46)) == .request(isUnanswered: false))
  }

  // MARK: Steps

  /// Reads the last message and requests the resource, for the first time.
  private mutating func readLast() {
    #expect(view.next(at: start) == .read)
    #expect(view.next(at: start) == .request(isUnanswered: false))
    #expect(view.next(at: start) == nil)
    #expect(view.take(last: nil, at: start) == .ignore)
    view.readEnded(at: start)
    view.requestEnded(at: start, random: 0)
  }

  private mutating func take(
    _ number: UInt64, of worker: String, term: UInt64 = 1, sequence: UInt64, after: UInt64 = 0,
    stream: Int64 = 10, hasError: Bool = false, isFinal: Bool = false, at time: Duration = .zero
  ) -> Verdict {
    view.take(
      received(number, worker, term, sequence, after, stream, hasError, isFinal), at: start + time)
  }

  private mutating func takeLast(
    _ number: UInt64, of worker: String, sequence: UInt64, stream: Int64
  ) -> Verdict {
    view.take(last: received(number, worker, 1, sequence, 0, stream, false, false), at: start)
  }

  private func received(
    _ number: UInt64, _ worker: String, _ term: UInt64, _ sequence: UInt64, _ after: UInt64,
    _ stream: Int64, _ hasError: Bool, _ isFinal: Bool
  ) -> ResourceView.Received {
    ResourceView.Received(
      streamTime: Timestamp(seconds: stream), number: number,
      term: ResourceView.Term(worker: worker, number: term), sequence: sequence, polledAfter: after,
      hasResource: true, hasError: hasError, isFinal: isFinal)
  }
}
