import Testing

@testable import TripRelay

/// The decisions about one resource of a worker, at given instants.
@Suite struct ResourcePublicationTests {
  private typealias Command = ResourcePublication.Command
  private typealias Message = ResourcePublication.Message
  private typealias Found = ResourcePublication.Found

  private let start = ContinuousClock.now
  private var publication: ResourcePublication

  init() {
    publication = ResourcePublication(at: start)
  }

  // MARK: Begin

  @Test mutating func resourceIsReadPolledAndPublished() {
    #expect(commands() == [.read])
    find(found(7, sequence: 40))
    #expect(commands() == [.poll])
    // What it began with is not published again.
    publication.updated(pollBegan: nil, hasFailure: false, at: start)
    #expect(commands() == [])
    change(began: .seconds(1), at: .seconds(2))
    let state = Message(sequence: 41, polledAfter: 7, last: 7, oversize: nil)
    #expect(commands(at: .seconds(2)) == [.store(state)])
    store(state, as: 10, at: .seconds(2))
    #expect(commands(at: .seconds(2)) == [])
  }

  @Test mutating func errorBeforeTheFirstPollIsPublished() {
    #expect(commands() == [.read])
    find(found(7, sequence: 40))
    #expect(commands() == [.poll])
    publication.updated(pollBegan: nil, hasFailure: true, at: start)
    // The resource is that of another worker.
    #expect(
      commands() == [.store(Message(sequence: 41, polledAfter: 0, last: 7, oversize: nil))])
  }

  @Test mutating func resourceIsPolledBeforeNATSAnswers() {
    #expect(commands() == [.read])
    #expect(commands(at: .milliseconds(499)) == [])
    #expect(commands(at: .milliseconds(500)) == [.poll])
    change(began: .milliseconds(500), at: .seconds(1))
    #expect(commands(at: .seconds(1)) == [])
    find(found(7, sequence: 40), at: .seconds(2))
    let first = Message(sequence: 41, polledAfter: 0, last: 7, oversize: nil)
    #expect(commands(at: .seconds(2)) == [.store(first)])
    store(first, as: 9, at: .seconds(4))
    change(began: .seconds(3), at: .seconds(4))
    let second = Message(sequence: 42, polledAfter: 7, last: 9, oversize: nil)
    #expect(commands(at: .seconds(4)) == [.store(second)])
    store(second, as: 10, at: .seconds(5))
    change(began: .seconds(4), at: .seconds(5))
    #expect(
      commands(at: .seconds(5)) == [
        .store(Message(sequence: 43, polledAfter: 9, last: 10, oversize: nil))
      ])
  }

  @Test mutating func messageThatWasFoundDuringThePollIsNotNamed() {
    #expect(commands() == [.read])
    #expect(commands(at: .milliseconds(500)) == [.poll])
    change(began: .milliseconds(500), at: .seconds(1))
    find(found(7, sequence: 40), at: .seconds(2))
    let first = Message(sequence: 41, polledAfter: 0, last: 7, oversize: nil)
    #expect(commands(at: .seconds(2)) == [.store(first)])
    store(first, as: 9, at: .seconds(3))
    // The next poll has failed, so the resource is still that of the first one.
    publication.updated(pollBegan: nil, hasFailure: true, at: start + .seconds(4))
    #expect(
      commands(at: .seconds(4)) == [
        .store(Message(sequence: 42, polledAfter: 0, last: 9, oversize: nil))
      ])
  }

  @Test mutating func failedReadIsRepeatedAfterASecondOrWhenNATSIsBack() {
    #expect(commands() == [.read])
    publication.readFailed(at: start)
    #expect(commands(at: .milliseconds(400)) == [])
    #expect(commands(at: .seconds(1)) == [.poll, .read])
    publication.readFailed(at: start + .seconds(1))
    publication.reconnected(at: start + .seconds(1))
    #expect(commands(at: .seconds(1)) == [.read])
  }

  @Test mutating func nothingIsSentWithoutAConnection() {
    #expect(publication.next(at: start, isConnected: false) == nil)
    #expect(publication.next(at: start + .seconds(1), isConnected: false) == .poll)
    #expect(commands(at: .seconds(1)) == [.read])
  }

  @Test mutating func finalResourceIsNotPolled() {
    #expect(commands() == [.read])
    find(found(7, sequence: 40, isFinal: true))
    #expect(publication.next(at: start, isConnected: false) == nil)
    #expect(commands() == [.withdraw])
    #expect(commands(at: .seconds(100)) == [])
  }

  // MARK: Publish

  @Test mutating func changeDuringAPublicationIsPublishedNext() {
    let first = begin()
    change(began: .seconds(1), at: .seconds(2))
    #expect(commands(at: .seconds(2)) == [])
    store(first, as: 6, at: .seconds(2))
    #expect(
      commands(at: .seconds(2)) == [
        .store(Message(sequence: 2, polledAfter: 5, last: 6, oversize: nil))
      ])
  }

  @Test mutating func unchangedPollIsPublishedFirstAndAfterATime() {
    #expect(commands() == [.read])
    find(found(7, sequence: 40))
    #expect(commands() == [.poll])
    renew(ended: .seconds(1))
    let first = Message(sequence: 41, polledAfter: 7, last: 7, oversize: nil)
    #expect(commands(at: .seconds(1)) == [.store(first)])
    store(first, as: 8, polled: .seconds(1), at: .seconds(1))
    renew(ended: .seconds(8))
    #expect(commands(at: .seconds(8)) == [])
    renew(ended: .seconds(9))
    #expect(
      commands(at: .seconds(9)) == [
        .store(Message(sequence: 42, polledAfter: 8, last: 8, oversize: nil))
      ])
  }

  @Test mutating func requestIsWithdrawnWhenTheFinalStateIsStored() {
    let first = begin()
    publication.stored(
      first, as: 6, polled: start + .seconds(1), isFinal: true, at: start + .seconds(1))
    #expect(commands() == [.stop, .withdraw])
    change(began: .seconds(2), at: .seconds(2))
    #expect(commands(at: .seconds(2)) == [])
  }

  // MARK: Failures

  @Test(arguments: [NATSError.Kind.disconnected, .timeout])
  mutating func lastMessageIsReadIfItsFateIsUnknown(kind: NATSError.Kind) {
    let first = begin()
    fail(first, kind)
    #expect(commands() == (kind == .timeout ? [.report(NATSError(kind, "lost"))] : []) + [.read])
    publication.readFailed(at: start)
    #expect(commands() == [])
    #expect(commands(at: .seconds(1)) == [.read])
    // It was stored.
    find(found(6, sequence: 1, isOwn: true), at: .seconds(1))
    #expect(
      commands(at: .seconds(1)) == [
        .store(Message(sequence: 2, polledAfter: 5, last: 6, oversize: nil))
      ])
  }

  @Test mutating func workerYieldsToAnotherOne() {
    let first = begin()
    fail(first, .wrongLastSequence)
    #expect(commands() == [.read])
    find(found(6, sequence: 2))
    #expect(commands() == [.stop])
    #expect(commands(at: .milliseconds(999)) == [])
    #expect(commands(at: .seconds(1)) == [.read])
    // Polls wait for NATS again.
    #expect(commands(at: .milliseconds(1_499)) == [])
    find(found(8, sequence: 4), at: .milliseconds(1_499))
    #expect(commands(at: .milliseconds(1_499)) == [.poll])
    // The resource is not that of the last poll.
    publication.updated(pollBegan: nil, hasFailure: true, at: start + .seconds(2))
    #expect(
      commands(at: .seconds(2)) == [
        .store(Message(sequence: 5, polledAfter: 0, last: 8, oversize: nil))
      ])
  }

  @Test mutating func resourceOfAnotherWorkerIsNotLate() {
    #expect(publication.pollingSince == start)
    let first = begin()
    fail(first, .wrongLastSequence)
    #expect(commands() == [.read])
    find(found(6, sequence: 2))
    #expect(commands() == [.stop])
    #expect(publication.pollingSince == nil)
    #expect(commands(at: .seconds(1)) == [.read])
    #expect(publication.pollingSince == start + .seconds(1))
    find(found(7, sequence: 2, isFinal: true), at: .seconds(1))
    #expect(publication.pollingSince == nil)
  }

  @Test mutating func finalStateOfAnotherWorkerEndsTheResource() {
    let first = begin()
    fail(first, .wrongLastSequence)
    #expect(commands() == [.read])
    find(found(8, sequence: 2, isFinal: true))
    #expect(commands() == [.stop, .withdraw])
  }

  @Test mutating func stateIsPublishedAgainInANewStream() {
    let first = begin()
    store(first, as: 6)
    publication.streamLost(at: start)
    #expect(commands() == [.read])
    find(nil)
    let second = Message(sequence: 2, polledAfter: 0, last: 0, oversize: nil)
    #expect(commands() == [.findStreams, .store(second)])
  }

  @Test mutating func smallerNumberMakesTheWorkerLookForTheStream() {
    let first = begin()
    store(first, as: 4)
    #expect(commands() == [.findStreams])
  }

  @Test mutating func missingStreamIsReportedTheSecondTime() {
    let first = begin()
    fail(first, .noStream)
    #expect(commands() == [.findStreams])
    let second = Message(sequence: 2, polledAfter: 5, last: 5, oversize: nil)
    #expect(commands(at: .seconds(1)) == [.store(second)])
    fail(second, .noStream)
    #expect(commands() == [.report(NATSError(.noStream, "lost")), .findStreams])
  }

  @Test mutating func tooLargeResourceIsReportedOnceAndPublishedWithoutIt() {
    let error = NATSError(.tooLarge, "lost")
    let first = begin()
    fail(first, .tooLarge)
    let second = Message(sequence: 2, polledAfter: 5, last: 5, oversize: error)
    #expect(commands() == [.report(error), .store(second)])
    store(second, as: 6)
    change(began: .seconds(4), at: .seconds(5))
    let third = Message(sequence: 3, polledAfter: 6, last: 6, oversize: nil)
    #expect(commands(at: .seconds(5)) == [.store(third)])
    fail(third, .tooLarge)
    #expect(commands() == [.store(Message(sequence: 4, polledAfter: 6, last: 6, oversize: error))])
  }

  @Test mutating func failureThatLastsIsTriedAgainAfterFiveSeconds() {
    let first = begin()
    fail(first, .full)
    #expect(commands() == [.report(NATSError(.full, "lost"))])
    change(began: .seconds(1), at: .seconds(2))
    #expect(commands(at: .milliseconds(4_999)) == [])
    #expect(
      commands(at: .seconds(5)) == [
        .store(Message(sequence: 2, polledAfter: 5, last: 5, oversize: nil))
      ])
  }

  @Test mutating func stateIsVerifiedAfterAReconnection() {
    let first = begin()
    store(first, as: 6)
    publication.reconnected(at: start)
    #expect(commands() == [.read])
  }

  // MARK: Steps

  private mutating func commands(at time: Duration = .zero) -> [Command] {
    var commands: [Command] = []
    while let command = publication.next(at: start + time, isConnected: true) {
      commands.append(command)
    }
    return commands
  }

  /// Begins after the message 5, and publishes the first state.
  private mutating func begin() -> Message {
    #expect(commands() == [.read])
    find(found(5, sequence: 0))
    #expect(commands() == [.poll])
    change(began: .zero, at: .seconds(1))
    let first = Message(sequence: 1, polledAfter: 5, last: 5, oversize: nil)
    #expect(commands(at: .seconds(1)) == [.store(first)])
    return first
  }

  private func found(
    _ number: UInt64, sequence: UInt64, isOwn: Bool = false, isFinal: Bool = false
  ) -> Found {
    Found(number: number, sequence: sequence, isOwn: isOwn, isFinal: isFinal)
  }

  private mutating func find(_ found: Found?, at time: Duration = .zero) {
    publication.found(found, yieldingFor: .seconds(1), at: start + time)
  }

  private mutating func change(began: Duration, at time: Duration) {
    publication.updated(pollBegan: start + began, hasFailure: false, at: start + time)
  }

  private mutating func renew(ended: Duration) {
    publication.renew(
      (start + ended - .milliseconds(10), start + ended), after: .seconds(7), at: start + ended)
  }

  private mutating func store(
    _ message: Message, as number: UInt64, polled: Duration? = nil, at time: Duration = .zero
  ) {
    publication.stored(
      message, as: number, polled: polled.map { start + $0 }, isFinal: false, at: start + time)
  }

  private mutating func fail(_ message: Message, _ kind: NATSError.Kind) {
    publication.storeFailed(message, NATSError(kind, "lost"), at: start)
  }
}
