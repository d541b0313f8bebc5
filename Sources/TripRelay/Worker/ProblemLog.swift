import WireSystem

/// Reports each problem with NATS once, until it has not occurred for a while.
final class ProblemLog: Sendable {
  /// A problem that has not occurred for so long is over.
  private static let quietTime = Duration.seconds(60)
  private static let mostProblems = 1_000

  private let report: @Sendable (NATSError) -> Void
  /// When each problem that was reported occurred last.
  private let problems = Locked<[NATSError: ContinuousClock.Instant]>([:])

  init(report: @escaping @Sendable (NATSError) -> Void) {
    self.report = report
  }

  func add(_ error: NATSError, at now: ContinuousClock.Instant = .now) {
    let last = problems.withLock { problems in
      if problems.count >= Self.mostProblems {
        problems = problems.filter { now - $0.value < Self.quietTime }
        if problems.count >= Self.mostProblems { problems = [:] }
      }
      return problems.updateValue(now, forKey: error)
    }
    if last.map({ now - $0 >= Self.quietTime }) ?? true { report(error) }
  }

  /// Reports the next loss of the connection, even if it is soon.
  func reconnected() {
    problems.withLock { problems in
      problems = problems.filter { $0.key.kind != .disconnected }
    }
  }
}
