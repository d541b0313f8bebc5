import Testing
import Tripwire
import WireProtobuf

@testable import RecordingAnalysis

/// Troubles that both sides have, calls that hang, and clocks of the driver's device.
extension TripSpansTests {
  private static let refused = failure(.unavailable, isLocal: true)

  /// The server is away from 50 to 100, and logs nothing.
  private static func outage(driverReturnsAt time: Double) -> TripEvidence {
    var evidence = evidence(
      updates: every5(0..<50) + every5(time..<200), polls: every5(0..<200, from: 2), until: 200,
      poll: { 50..<100 ~= $0 ? refused : ok })
    evidence.answers = evidence.polls.filter { !$0.outcome.isFailure }
    return evidence
  }

  @Test func anOutageOfTheServerIsNotTheDriversSilence() {
    let evidence = Self.outage(driverReturnsAt: 105)
    let spans = Self.stale(evidence)
    #expect(Self.words(spans) == ["polls-failed 10"])
    #expect(spans.first?.start == 47.1 && spans.first?.end == 107.1)
    #expect(spans.first.map(evidence.lacksUpdates) == true)
    #expect(spans.first.flatMap(evidence.failedUpdates) == nil)
    // The driver's app stays away.
    #expect(
      Self.words(Self.stale(Self.outage(driverReturnsAt: 150))) == [
        "polls-failed 10", "nothing-sent 9",
      ])
  }

  /// "polls-failed 10": the cause, and the number of calls that failed or are missing.
  private static func words(_ spans: [TripSpan]) -> [String] {
    spans.compactMap(\.cause).map { cause in
      switch cause {
      case .pollsFailed(let failures): "\(cause.name) \(failures.count)"
      case .nothingSent(let missing, _, _, _): "\(cause.name) \(missing)"
      default: cause.name
      }
    }
  }

  @Test func aServerThatAnswersOthersHasNoOutage() {
    var evidence = Self.outage(driverReturnsAt: 105)
    evidence.answers += [.init(call: 9, start: 75, end: 75, outcome: Self.ok)]
    evidence.answers.sort { $0.end < $1.end }
    let spans = Self.stale(evidence)
    #expect(spans.map(\.cause) == [.nothingSent(missing: 11, usual: 5, last: 45)])
    #expect(spans.first.flatMap(evidence.failedPolls)?.count == 10)
  }

  @Test func errorsInTheMiddleOfASilenceDoNotExplainIt() {
    var evidence = Self.outage(driverReturnsAt: 150)
    for index in evidence.polls.indices where evidence.polls[index].start < 75 {
      evidence.polls[index].outcome = Self.ok
      evidence.polls[index].location = evidence.updates[9].sent
    }
    #expect(Self.stale(evidence).map(\.cause?.name) == ["nothing-sent"])
  }

  @Test func bothSidesOfAnOutageAreNamed() {
    let error = Self.failure(.unavailable)
    let evidence = Self.evidence(
      updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150,
      update: { 55..<100 ~= $0 ? error : Self.ok }, poll: { 50..<100 ~= $0 ? error : Self.ok })
    let spans = Self.stale(evidence)
    #expect(spans.map(\.cause?.name) == ["polls-failed"])
    #expect(spans.first.flatMap(evidence.failedUpdates)?.count == 9)
    #expect(spans.first.map(evidence.lacksUpdates) == false)
  }

  @Test func anUpdateThatHangsIsNotSilence() {
    let error = Self.failure(.deadlineExceeded)
    func evidence(latency: Double, times: [Double]) -> TripEvidence {
      Self.evidence(
        updates: Self.every5(0..<50) + times + Self.every5(120..<170),
        polls: Self.every5(0..<170, from: 2), until: 170,
        update: { times.contains($0) ? error : Self.ok },
        updateLatency: { times.contains($0) ? latency : 0 })
    }
    let failed = StaleCause.updatesFailed(.init(count: 3, first: error, longestWait: 6))
    // A recording has both times.
    #expect(Self.stale(evidence(latency: 20, times: [50, 72, 94])).map(\.cause) == [failed])
    // Google's logs have the end.
    #expect(Self.stale(evidence(latency: 0, times: [70, 92, 114])).map(\.cause) == [failed])
    #expect(
      Self.stale(evidence(latency: 0, times: [109])).map(\.cause?.name) == [
        "nothing-sent", "updates-failed",
      ])
  }

  @Test func aSlowUpdateIsTheServersSide() {
    let evidence = Self.evidence(
      updates: Self.every5(0..<55) + Self.every5(95..<150),
      polls: Self.every5(0..<150, from: 2), until: 150,
      updateLatency: { $0 == 50 ? 40 : 0 })
    var slow = evidence
    // The server has the location at the end of the call.
    for index in slow.polls.indices where 50..<90 ~= slow.polls[index].start {
      slow.polls[index].location = slow.updates[9].sent
    }
    #expect(Self.stale(slow).map(\.cause) == [.slow(longest: 40)])
  }

  /// From 50 on, the device measures 1,000 s before.
  private static func oldTimes(_ evidence: TripEvidence) -> TripEvidence {
    var evidence = evidence
    func change(_ location: inout LocationReport) {
      guard let time = location.serverTime?.secondsSince1970, 50..<100 ~= time else { return }
      location.updateTime = Timestamp(secondsSince1970: time - 1_000)
    }
    for index in evidence.updates.indices {
      change(&evidence.updates[index].sent)
      if var location = evidence.updates[index].accepted {
        change(&location)
        evidence.updates[index].accepted = location
      }
    }
    for index in evidence.polls.indices {
      guard var location = evidence.polls[index].location else { continue }
      change(&location)
      evidence.polls[index].location = location
    }
    return evidence
  }

  @Test func aClockOfTheDeviceThatIsSetBackIsTheDriversSide() {
    var evidence = Self.oldTimes(
      Self.evidence(
        updates: Self.every5(0..<150), polls: Self.every5(0..<150, from: 2), until: 150))
    let cause = StaleCause.oldDeviceTime(count: 10, seconds: 995)
    #expect(Self.stale(evidence).map(\.cause) == [cause])
    #expect(cause.side == .driver)
    // The client's recording shows it, too: the server got the locations later.
    evidence.updates = []
    #expect(Self.stale(evidence).map(\.cause) == [cause])
  }
}
