import Testing
import WireGRPC
import WireSystem

@testable import TripRelay

@Suite struct ProblemLogTests {
  private let start = ContinuousClock.now
  private final class Reports: Sendable {
    let list = Locked<[ProblemLog.Report]>([])
  }

  private let reports: Reports
  private let problems: ProblemLog

  init() {
    let reports = Reports()
    self.reports = reports
    problems = ProblemLog { report in reports.list.withLock { $0.append(report) } }
  }

  @Test func problemOfManyResourcesIsReportedOnceAndItsEndWithACount() {
    let first = NATSError(.noStream, "no stream for tripwire.v1.trips.p.t1")
    problems.add(first, at: start)
    for second in 1...20 {
      problems.add(
        NATSError(.noStream, "no stream for tripwire.v1.trips.p.t\(second)"),
        at: start + .seconds(second))
    }
    problems.check(at: start + .seconds(34))
    #expect(taken() == [.began(first)])
    problems.check(at: start + .seconds(35))
    #expect(taken() == [.ended(first, count: 21, after: .seconds(20))])
    problems.add(first, at: start + .seconds(36))
    #expect(taken() == [.began(first)])
  }

  @Test func otherProblemIsReportedMeanwhile() {
    let (one, other) = (NATSError(.other, "a"), NATSError(.other, "b"))
    for error in [one, other, one] { problems.add(error, at: start) }
    #expect(taken() == [.began(one), .began(other)])
  }

  @Test func missingPermissionIsReportedForEachKindOfSubject() {
    let refused = ["tripwire.v1.trips.p.t1", "tripwire.v1.trips.p.t2", "tripwire.v1.tasks.p.t1"]
      .map { NATSError(.notPermitted, "refused " + $0, subject: $0) }
    for error in refused { problems.add(error, at: start) }
    #expect(taken() == [.began(refused[0]), .began(refused[2])])
  }

  @Test func lostConnectionEndsWhenItIsThereAgain() {
    let (lost, full) = (NATSError(.disconnected, "lost"), NATSError(.full, "full"))
    problems.add(lost, at: start)
    problems.add(full, at: start)
    problems.check(at: start + .seconds(14))
    #expect(taken() == [.began(lost), .began(full)])
    problems.reconnected(at: start + .seconds(60))
    #expect(taken() == [.ended(lost, count: 1, after: .zero)])
    problems.add(lost, at: start + .seconds(61))
    #expect(taken() == [.began(lost)])
  }

  @Test func refusedSubscriptionEndsWhenItIsMadeAgain() {
    let refused = NATSError(
      .notPermitted, "Permissions Violation for Subscription to \"tripwire.v1.live.p.t1\"",
      subject: "tripwire.v1.live.p.t1", isRefusedSubscription: true)
    problems.add(refused, at: start)
    problems.check(at: start + .seconds(60))
    #expect(taken() == [.began(refused)])
    problems.reconnected(at: start + .seconds(61))
    #expect(taken() == [.ended(refused, count: 1, after: .zero)])
  }

  @Test(arguments: [(interval: 5, delay: 10), (interval: 60, delay: 120)])
  func pollsThatAllFailAreOneProblem(interval: Int, delay: Int) {
    func take(_ polls: CallCounter.Failures, after seconds: Int) {
      problems.take(polls, every: .seconds(interval), at: start + .seconds(seconds))
    }
    var polls = CallCounter.Failures()
    take(polls, after: -1)
    let denied = CallError(code: .permissionDenied, message: "no role", origin: .server)
    for _ in 0..<3 { polls.add(denied, at: start) }
    take(polls, after: delay - 1)
    #expect(taken() == [])
    take(polls, after: delay)
    let problem = NATSError(.failingPolls, "all polls fail: PERMISSION_DENIED: no role")
    #expect(taken() == [.began(problem)])
    polls.add(CallError(code: .unavailable, message: "busy", origin: .server), at: start)
    take(polls, after: delay + 600)
    // The next poll may be later than other problems last.
    problems.check(at: start + .seconds(delay + 700))
    problems.reconnected(at: start + .seconds(delay + 700))
    #expect(taken() == [])
    take(CallCounter.Failures(), after: delay + 700)
    #expect(taken() == [.ended(problem, count: 4, after: .seconds(delay + 600))])
  }

  @Test func oneFailedPollIsNoProblem() {
    var polls = CallCounter.Failures()
    polls.add(CallError(code: .notFound, message: "no trip", origin: .server), at: start)
    problems.take(polls, every: .seconds(5), at: start + .seconds(3_600))
    #expect(taken() == [])
  }

  private func taken() -> [ProblemLog.Report] {
    reports.list.withLock { list in
      defer { list = [] }
      return list
    }
  }
}
