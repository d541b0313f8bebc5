import WireSystem

/// Reports each problem with NATS once when it begins and once when it has ended.
///
/// A problem that occurs for many resources is one: problems are told apart by their kind.
package final class ProblemLog: Sendable {
  package enum Report: Sendable, Equatable {
    case began(NATSError)
    /// - Parameter count: how many times the problem occurred.
    case ended(NATSError, count: Int, after: Duration)
  }

  private struct Problem {
    let first: NATSError
    let began: ContinuousClock.Instant
    var last: ContinuousClock.Instant
    var count = 1
  }

  /// Attempts that fail are repeated after 5 s at most, and a request ends after 5 s.
  private static let quietTime = Duration.seconds(15)
  private static let mostProblems = 100

  private let report: @Sendable (Report) -> Void
  private let problems = Locked<[String: Problem]>([:])

  init(report: @escaping @Sendable (Report) -> Void) {
    self.report = report
  }

  func add(_ error: NATSError, at now: ContinuousClock.Instant = .now) {
    let key = Self.key(of: error)
    let isNew = problems.withLock { problems in
      guard problems[key] == nil else {
        problems[key]?.last = now
        problems[key]?.count += 1
        return false
      }
      guard problems.count < Self.mostProblems else { return false }
      problems[key] = Problem(first: error, began: now, last: now)
      return true
    }
    if isNew { report(.began(error)) }
  }

  /// Reports what stays as it is while the worker runs.
  func warn(_ error: NATSError) { report(.began(error)) }

  /// Problems with the same key are reported as one.
  private static func key(of error: NATSError) -> String {
    switch error.kind {
    // Their texts do not name resources.
    case .other, .disconnected: error.message
    // "tripwire.v1.trips", without the resource.
    case .notPermitted:
      (error.subject ?? error.message).split(separator: ".").prefix(3).joined(separator: ".")
    default: "\(error.kind)"
    }
  }

  /// Reports the problems that have not occurred for a while as ended. Call it at least every few seconds.
  func check(at now: ContinuousClock.Instant) {
    end(at: now) { $0.first.kind != .disconnected && now - $0.last >= Self.quietTime }
  }

  /// The connection is there again.
  func reconnected(at now: ContinuousClock.Instant) {
    end(at: now) { $0.first.kind == .disconnected }
  }

  private func end(
    at now: ContinuousClock.Instant, where isOver: (Problem) -> Bool
  ) {
    let ended = problems.withLock { problems in
      let ended = problems.filter { isOver($0.value) }
      for key in ended.keys { problems[key] = nil }
      return ended.values.sorted { $0.began < $1.began }
    }
    for problem in ended {
      report(.ended(problem.first, count: problem.count, after: problem.last - problem.began))
    }
  }
}
