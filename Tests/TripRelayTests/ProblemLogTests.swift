import Testing
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

  private func taken() -> [ProblemLog.Report] {
    reports.list.withLock { list in
      defer { list = [] }
      return list
    }
  }
}
