import TestSupport
import Testing
import Tripwire
import WireProtobuf

@testable import RecordingAnalysis

/// A vehicle that reports every 5 s and a client that polls every 5 s, in seconds since the start.
@Suite struct TripSpansTests {
  private static func location(_ time: Double, north: Double? = nil) -> LocationReport {
    LocationReport(
      VehicleLocation(
        location: LatLng(latitude: 50 + (north ?? time * 10) / 111_195, longitude: 8),
        updateTime: Timestamp(secondsSince1970: time),
        serverTime: Timestamp(secondsSince1970: time)))
  }

  static let ok = TripEvidence.Outcome(code: .ok)

  static func failure(_ code: StatusCode, isLocal: Bool = false) -> TripEvidence.Outcome {
    TripEvidence.Outcome(code: code, message: "no", isLocal: isLocal)
  }

  /// - Parameters:
  ///   - updates: when the driver's app sends locations.
  ///   - polls: when the client asks.
  static func evidence(
    updates: [Double], polls: [Double], until end: Double,
    update: (Double) -> TripEvidence.Outcome = { _ in ok },
    poll: (Double) -> TripEvidence.Outcome = { _ in ok },
    latency: (Double) -> Double = { _ in 0.1 },
    updateLatency: (Double) -> Double = { _ in 0 },
    north: (Double) -> Double = { $0 * 10 }
  ) -> TripEvidence {
    var evidence = TripEvidence()
    var accepted: [LocationReport] = []
    for time in updates {
      let sent = location(time, north: north(time))
      let outcome = update(time)
      if outcome == ok { accepted.append(sent) }
      evidence.updates.append(
        .init(
          call: 1, time: time, end: time + updateLatency(time), outcome: outcome, sent: sent,
          accepted: accepted.last))
    }
    for start in polls {
      let answered = start + latency(start)
      let outcome = poll(start)
      let shown = accepted.last { $0.serverTime?.secondsSince1970 ?? 0 <= answered }
      evidence.polls.append(
        .init(
          call: 2, start: start, end: answered, outcome: outcome,
          location: outcome == ok ? shown : nil))
    }
    evidence.end = end
    evidence.hasClient = true
    evidence.hasServer = true
    return evidence
  }

  static func every5(_ range: Range<Double>, from first: Double = 0) -> [Double] {
    stride(from: range.lowerBound + first, to: range.upperBound, by: 5).map { $0 }
  }

  static func stale(_ evidence: TripEvidence) -> [TripSpan] {
    let spans = TripSpans(evidence).spans
    #expect(spans.first?.start == evidence.start && spans.last?.end == evidence.end)
    for (one, other) in zip(spans, spans.dropFirst()) { #expect(one.end == other.start) }
    return spans.filter { $0.cause != nil }
  }

  @Test func aHealthyTripIsCurrent() {
    let evidence = Self.evidence(
      updates: Self.every5(0..<100), polls: Self.every5(0..<100, from: 2), until: 100)
    #expect(TripSpans(evidence).spans.map(\.stateName) == ["waiting", "current"])
  }

  @Test func aDriverWithoutUpdatesIsTheCause() {
    let evidence = Self.evidence(
      updates: Self.every5(0..<50) + Self.every5(100..<150),
      polls: Self.every5(0..<150, from: 2), until: 150)
    let spans = Self.stale(evidence)
    #expect(
      spans == [
        TripSpan(
          start: 47.1, end: 102.1, state: .stale(.nothingSent(missing: 10, usual: 5, last: 45)))
      ])
  }

  @Test func updatesAtTheSameTimeHaveNoInterval() {
    let evidence = Self.evidence(
      updates: [0, 0, 0, 0, 0], polls: Self.every5(0..<100, from: 2), until: 100)
    #expect(
      Self.stale(evidence).map(\.state) == [.stale(.nothingSent(missing: 19, usual: 5, last: 0))])
  }

  @Test func aGapOfAnyLengthIsCounted() {
    let evidence = Self.evidence(
      updates: [0, 1e-9, 2e-9, 3e-9, 4e-9], polls: [1, 2, 9e15], until: 9e15)
    #expect(Self.stale(evidence).map(\.cause?.name) == ["nothing-sent"])
  }

  @Test func aSuspendedClientIsTheCause() {
    let evidence = Self.evidence(
      updates: Self.every5(0..<150),
      polls: Self.every5(0..<50, from: 2) + Self.every5(100..<150, from: 2), until: 150)
    let spans = Self.stale(evidence)
    #expect(spans.map(\.cause?.name) == ["not-asked"])
    #expect(spans.first?.start == 47.1 && spans.first?.end == 102.1)
  }

  @Test func twoCausesInARowAreTwoSpans() {
    // The driver is silent until 100, then the client gets errors until 150.
    let evidence = Self.evidence(
      updates: Self.every5(0..<50) + Self.every5(100..<200),
      polls: Self.every5(0..<200, from: 2), until: 200,
      poll: { 100..<150 ~= $0 ? Self.failure(.unavailable, isLocal: true) : Self.ok })
    let spans = Self.stale(evidence)
    #expect(spans.map(\.cause?.name) == ["nothing-sent", "polls-failed"])
    #expect(spans.map(\.cause?.side) == [.driver, .network])
    // The client asks for the location of 100 at 102.
    #expect(spans.first?.end == 102)
  }

  @Test func refusedAndDiscardedUpdatesAreTheDriversSide() {
    let refused = Self.evidence(
      updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150,
      update: { 50..<100 ~= $0 ? Self.failure(.permissionDenied) : Self.ok })
    #expect(
      Self.stale(refused).map(\.cause) == [
        .updatesFailed(.init(count: 10, first: Self.failure(.permissionDenied)))
      ])
    var discarded = refused
    for index in discarded.updates.indices { discarded.updates[index].outcome = Self.ok }
    #expect(Self.stale(discarded).map(\.cause?.name) == ["updates-discarded"])
  }

  @Test func errorsOfTheClientAreNamed() {
    func cause(_ outcome: TripEvidence.Outcome) -> StaleCause? {
      let evidence = Self.evidence(
        updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150,
        poll: { 50..<100 ~= $0 ? outcome : Self.ok })
      let spans = Self.stale(evidence)
      #expect(spans.count == 1)
      return spans.first?.cause
    }
    #expect(cause(Self.failure(.unauthenticated))?.name == "token-refused")
    #expect(cause(Self.failure(.resourceExhausted))?.side == .client)
    #expect(cause(Self.failure(.internal))?.side == .server)
    #expect(cause(Self.failure(.unavailable, isLocal: true))?.side == .network)
    guard case .pollsFailed(let failures)? = cause(Self.failure(.internal)) else {
      Issue.record("no failures")
      return
    }
    #expect(failures.count == 10)
  }

  @Test func aSlowAnswerIsTheServersUnlessItAnsweredInTime() {
    var evidence = Self.evidence(
      updates: Self.every5(0..<150),
      polls: Self.every5(0..<50, from: 2) + [52] + Self.every5(95..<150, from: 2), until: 150,
      latency: { $0 == 52 ? 40 : 0.1 })
    // The answer has the location of its end. Without the server's log, the network may have been slow.
    #expect(Self.stale(evidence).map(\.cause) == [.slowCall(longest: 40)])
    #expect(Self.stale(evidence).map(\.cause?.side) == [.unknown])
    evidence.answers = [.init(call: 3, start: 52.1, end: 91.9, outcome: Self.ok)]
    #expect(Self.stale(evidence).map(\.cause) == [.slow(longest: 40)])
    evidence.answers = [.init(call: 3, start: 52.1, end: 52.1, outcome: Self.ok)]
    #expect(Self.stale(evidence).map(\.cause?.name) == ["late-answer"])
  }

  /// The client gives up after 4 s, and asks again a second later.
  private static func timeouts(serverTakes seconds: Double) -> TripEvidence {
    var evidence = Self.evidence(
      updates: every5(0..<150), polls: every5(0..<150, from: 2), until: 150,
      poll: { 50..<100 ~= $0 ? failure(.deadlineExceeded, isLocal: true) : ok },
      latency: { 50..<100 ~= $0 ? 4 : 0.1 })
    evidence.answers = evidence.polls.map { poll in
      let isGivenUp = poll.outcome.isFailure
      let end = isGivenUp ? poll.start + seconds : poll.end
      return .init(
        call: 3, start: end, end: end, outcome: ok, location: isGivenUp ? nil : poll.location)
    }.sorted { $0.end < $1.end }
    return evidence
  }

  @Test func anAnswerAfterTheTimeoutIsTheServersSide() {
    let late = Self.stale(Self.timeouts(serverTakes: 35))
    #expect(late.map(\.cause?.name) == ["slow-answer"])
    guard case .slow(let longest)? = late.first?.cause else { return }
    #expect((longest - 35).magnitude < 0.2)
    // It answered soon, so the network lost the answer.
    let lost = Self.timeouts(serverTakes: 0.5)
    #expect(Self.stale(lost).map(\.cause?.side) == [.network])
    // No call arrived.
    var cut = lost
    cut.answers.removeAll { $0.location == nil }
    #expect(Self.stale(cut).map(\.cause?.side) == [.network])
  }

  @Test func answersToOtherClientsAreNotLate() {
    var evidence = Self.timeouts(serverTakes: 35)
    evidence.answers.removeAll { $0.location == nil }
    evidence.answers += Self.every5(0..<150, from: 4).map {
      .init(call: 4, start: $0, end: $0, outcome: Self.ok)
    }
    evidence.answers.sort { $0.end < $1.end }
    #expect(Self.stale(evidence).map(\.cause?.side) == [.network])
  }

  @Test func theLatencyInTheServersLogDecides() {
    var evidence = Self.timeouts(serverTakes: 6)
    // The request arrived after 5.9 s.
    for index in evidence.answers.indices where evidence.answers[index].location == nil {
      evidence.answers[index].start -= 0.1
    }
    #expect(Self.stale(evidence).map(\.cause?.side) == [.network])
    for index in evidence.answers.indices where evidence.answers[index].location == nil {
      evidence.answers[index].start -= 5.4
    }
    #expect(Self.stale(evidence).map(\.cause?.name) == ["slow-answer"])
  }

  @Test func repeatedAnswersAreTheServersSide() {
    var evidence = Self.evidence(
      updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150)
    let old = evidence.polls[9].location
    for index in 10..<20 { evidence.polls[index].location = old }
    #expect(Self.stale(evidence).map(\.cause?.name) == ["old-answers"])
    #expect(Self.stale(evidence).map(\.cause?.side) == [.server])
    evidence.updates = []
    #expect(Self.stale(evidence).map(\.cause?.name) == ["no-updates-known"])
  }

  @Test func aVehicleInAJamIsStill() {
    let evidence = Self.evidence(
      updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150,
      north: {
        $0 < 50 ? $0 * 10 : $0 < 100 ? 500 + $0.truncatingRemainder(dividingBy: 2) : $0 * 10
      })
    let spans = TripSpans(evidence).spans
    #expect(spans.map(\.stateName) == ["waiting", "current", "still", "current"])
  }

  @Test func aVehicleThatDrivesIsNotStill() {
    let times = (0..<120).map(Double.init)
    let evidence = Self.evidence(
      updates: times, polls: times.map { $0 + 0.5 }, until: 120, north: { $0 * 9 })
    #expect(TripSpans(evidence).spans.map(\.stateName) == ["waiting", "current"])
  }

  @Test func silenceOfADrivingVehicleIsNotStill() {
    let times = (0..<30).map(Double.init) + (70..<100).map(Double.init)
    let evidence = Self.evidence(
      updates: times, polls: (0..<100).map { Double($0) + 0.5 }, until: 100, north: { $0 * 9 })
    #expect(!TripSpans(evidence).spans.map(\.stateName).contains("still"))
  }

  @Test func answersInTheServersLogAreEnough() {
    var evidence = Self.evidence(
      updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150,
      latency: { _ in 0 })
    let old = evidence.polls[9].location
    for index in 10..<20 { evidence.polls[index].location = old }
    evidence.answers = evidence.polls
    evidence.polls = []
    #expect(Self.stale(evidence).map(\.cause) == [.oldAnswers(count: 10)])
    for index in 10..<20 { evidence.answers[index].outcome = Self.failure(.permissionDenied) }
    #expect(
      Self.stale(evidence).map(\.cause) == [
        .tokenRefused(.init(count: 10, first: Self.failure(.permissionDenied), longestWait: 5))
      ])
  }

  @Test func aReceiverWithoutNewLocationsRepeatsTheLastOne() {
    var evidence = Self.evidence(
      updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150)
    for index in 10..<20 {
      evidence.updates[index].sent = evidence.updates[9].sent
      evidence.updates[index].accepted = evidence.updates[9].sent
      evidence.polls[index].location = evidence.updates[9].sent
    }
    #expect(Self.stale(evidence).map(\.cause) == [.updatesRepeated(count: 10)])
  }

  @Test func updatesWithoutALocationAreNotMissing() {
    var evidence = Self.evidence(
      updates: Self.every5(0..<50) + Self.every5(100..<150),
      polls: Self.every5(0..<150, from: 2), until: 150)
    evidence.emptyUpdates = Self.every5(50..<100)
    #expect(Self.stale(evidence).map(\.cause) == [.noLocationSent(count: 10)])
  }

  @Test func silenceAfterTimeoutsOfASlowServerIsTheClients() {
    var evidence = Self.timeouts(serverTakes: 35)
    evidence.polls.removeAll { 55..<100 ~= $0.start }
    #expect(Self.stale(evidence).map(\.cause?.name) == ["not-asked"])
  }

  /// One call of 40 s, which the server's log has.
  private static func longCall(
    _ outcome: TripEvidence.Outcome, answeredAfter seconds: Double?
  ) -> TripEvidence {
    var evidence = Self.evidence(
      updates: every5(0..<150),
      polls: every5(0..<50, from: 2) + [52] + every5(95..<150, from: 2), until: 150,
      poll: { $0 == 52 ? outcome : ok }, latency: { $0 == 52 ? 40 : 0.1 })
    evidence.answers = evidence.polls.compactMap { poll in
      guard poll.start == 52 else {
        return .init(call: 3, start: poll.end, end: poll.end, outcome: ok, location: poll.location)
      }
      return seconds.map { .init(call: 3, start: 52 + $0, end: 52 + $0, outcome: ok) }
    }
    return evidence
  }

  @Test func aLateAnswerIsNotAFailedCall() {
    let unavailable = Self.failure(.unavailable, isLocal: true)
    let open = TripEvidence.Outcome()
    let expected: [(TripEvidence.Outcome, Double?, String, StaleCause.Side)] = [
      (Self.ok, 39.9, "slow-answer", .server), (Self.ok, 0.1, "late-answer", .network),
      (unavailable, 39, "slow-answer", .server), (unavailable, 0.1, "polls-failed", .network),
      (unavailable, nil, "polls-failed", .network), (open, 39, "slow-answer", .server),
      (open, 0.1, "polls-failed", .network), (open, nil, "polls-failed", .network),
      (Self.failure(.unavailable), 0.1, "polls-failed", .network),
      (Self.failure(.unavailable), nil, "polls-failed", .server),
      (Self.failure(.internal), 40, "polls-failed", .server),
      (Self.failure(.notFound), 40, "polls-failed", .client),
    ]
    for (outcome, seconds, name, side) in expected {
      let spans = Self.stale(Self.longCall(outcome, answeredAfter: seconds))
      #expect(spans.map(\.cause?.name) == [name], "\(outcome), \(seconds ?? -1)")
      #expect(spans.map(\.cause?.side) == [side], "\(outcome), \(seconds ?? -1)")
    }
  }

  /// The answer that the client got late had the location of its time.
  @Test func answersToOthersDoNotHideALateOne() {
    var evidence = Self.longCall(Self.ok, answeredAfter: 0.1)
    let old = evidence.updates[10].sent
    for index in evidence.polls.indices where evidence.polls[index].start == 52 {
      evidence.polls[index].location = old
    }
    for index in evidence.answers.indices where evidence.answers[index].start == 52.1 {
      evidence.answers[index].location = old
    }
    evidence.answers += evidence.updates[11...].map {
      .init(call: 4, start: $0.time + 1, end: $0.time + 1, outcome: Self.ok, location: $0.sent)
    }
    evidence.answers.sort { $0.end < $1.end }
    #expect(Self.stale(evidence).contains { $0.cause?.name == "late-answer" })
    #expect(!Self.stale(evidence).contains { $0.cause?.side == .server })
  }

  @Test func updatesOnWhichTheServerFailsAreItsSide() {
    let evidence = Self.evidence(
      updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150,
      update: { 50..<100 ~= $0 ? Self.failure(.internal) : Self.ok })
    #expect(Self.stale(evidence).map(\.cause?.name) == ["updates-failed"])
    #expect(Self.stale(evidence).map(\.cause?.side) == [.server])
  }

  @Test func aTripWithoutAVehicleWaits() {
    var evidence = Self.evidence(
      updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150)
    for index in 10..<20 {
      evidence.polls[index].location = nil
      evidence.polls[index].hasVehicle = false
    }
    let spans = TripSpans(evidence).spans
    #expect(spans.map(\.stateName) == ["waiting", "current", "waiting", "current"])
    #expect(spans[2].start == 52.1 && spans[2].end == 102.1)
  }

  @Test func threeEventsHaveAUsualInterval() {
    let evidence = Self.evidence(
      updates: [0, 60, 120], polls: [2, 62, 122], until: 130)
    #expect(TripSpans(evidence).spans.map(\.stateName) == ["waiting", "current"])
  }

  @Test func answersWithEarlierLocationsAreNotNew() {
    var evidence = Self.evidence(
      updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150)
    for index in 10..<20 { evidence.polls[index].location = evidence.updates[7 + index % 2].sent }
    #expect(Self.stale(evidence).map(\.cause?.side) == [.server])
  }

  @Test func aCallThatEndsBeforeTheTripBeginsDoesNotOverlap() {
    var evidence = Self.evidence(
      updates: Self.every5(0..<100), polls: Self.every5(0..<100, from: 2), until: 100)
    evidence.polls[0].end = -30
    #expect(Self.stale(evidence) == [])
  }

  /// Calls overlap, fail and repeat locations at random, and clocks differ.
  @Test(arguments: UInt64(0)..<200)
  func theSpansPartitionTheTrip(seed: UInt64) {
    var random = SplitMix(state: seed)
    func times(_ count: Int) -> [Double] {
      (0..<count).map { _ in Double.random(in: -20...320, using: &random) }.sorted()
    }
    let updates = times(.random(in: 0...60, using: &random))
    let polls = times(.random(in: 0...60, using: &random))
    var evidence = Self.evidence(
      updates: updates, polls: polls, until: 300,
      update: {
        $0.truncatingRemainder(dividingBy: 1) < 0.2 ? Self.failure(.deadlineExceeded) : Self.ok
      },
      updateLatency: { seed % 2 == 0 ? 0 : $0.truncatingRemainder(dividingBy: 40) })
    for index in evidence.polls.indices {
      let length = Double.random(in: 0...1, using: &random)
      evidence.polls[index].end += length > 0.9 ? length * 100 : length
      switch Int.random(in: 0..<8, using: &random) {
      case 0: evidence.polls[index].outcome = Self.failure(.unavailable, isLocal: true)
      case 1: evidence.polls[index].location = evidence.updates.randomElement(using: &random)?.sent
      case 2: (evidence.polls[index].location, evidence.polls[index].hasVehicle) = (nil, false)
      default: break
      }
    }
    if seed % 3 == 0 { evidence.answers = times(30).map { .init(call: 3, start: $0, end: $0) } }
    evidence.emptyUpdates = times(5)
    let spans = TripSpans(evidence).spans
    #expect(spans.first?.start == 0 && spans.last?.end == 300)
    #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end == $1.start })
    #expect(spans.allSatisfy { $0.seconds > 0 })
  }

  @Test func conditionsHoldForTheLongestSpan() {
    let spans = [
      TripSpan(start: 0, end: 20, state: .stale(.notAsked(longest: 20))),
      TripSpan(start: 20, end: 50, state: .stale(.slow(longest: 30))),
      TripSpan(start: 50, end: 90, state: .current),
    ]
    func broken(_ name: String, _ seconds: Double) -> Double? {
      StaleLimit(text: "", name: name, seconds: seconds).broken(by: spans)?.seconds
    }
    #expect(broken("stale", 49) == 50)
    #expect(broken("stale", 50) == nil)
    #expect(broken("slow-answer", 29) == 30)
    #expect(broken("unexplained", 0) == nil)
  }
}
