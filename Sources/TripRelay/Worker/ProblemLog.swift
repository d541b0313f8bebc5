import WireGRPC
import WireSystem

/// Reports each problem with NATS or the polls once when it begins and once when it has ended.
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
    var count = 0
  }

  /// Attempts that fail are repeated after 5 s at most, and a request ends after 5 s.
  private static let quietTime = Duration.seconds(15)
  private static let mostProblems = 100
  /// How long all polls fail before that is a problem.
  private static let failingTime = Duration.seconds(10)

  private let report: @Sendable (Report) -> Void
  private let problems = Locked<[String: Problem]>([:])

  init(report: @escaping @Sendable (Report) -> Void) {
    self.report = report
  }

  /// - Parameters:
  ///   - total: how many times the problem has occurred; nil counts the calls of this function.
  ///   - began: when it occurred first.
  func add(
    _ error: NATSError, total: Int? = nil, since began: ContinuousClock.Instant? = nil,
    at now: ContinuousClock.Instant = .now
  ) {
    let key = Self.key(of: error)
    let isNew = problems.withLock { problems in
      let isNew = problems[key] == nil
      guard !isNew || problems.count < Self.mostProblems else { return false }
      var problem = problems[key] ?? Problem(first: error, began: began ?? now, last: now)
      problem.last = now
      problem.count = total ?? problem.count + 1
      problems[key] = problem
      return isNew
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
    end(at: now) { !$0.first.lasts && now - $0.last >= Self.quietTime }
  }

  /// The connection is there again.
  func reconnected(at now: ContinuousClock.Instant) {
    end(at: now) { $0.first.kind == .disconnected || $0.first.isRefusedSubscription }
  }

  /// Takes the failed polls since the last one that succeeded.
  ///
  /// - Parameter interval: that of the polls.
  func take(
    _ polls: CallCounter.Failures, every interval: Duration,
    at now: ContinuousClock.Instant = .now
  ) {
    guard let since = polls.since, let error = polls.last else {
      return end(at: now) { $0.first.kind == .failingPolls }
    }
    guard polls.count > 1, now - since >= max(Self.failingTime, interval * 2) else { return }
    add(
      NATSError(.failingPolls, "all polls fail: \(error.code.named): \(error.message)"),
      total: polls.count, since: since, at: now)
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

extension NATSError {
  /// Whether the problem lasts until an event ends it, and is not repeated meanwhile.
  fileprivate var lasts: Bool {
    kind == .disconnected || kind == .failingPolls || isRefusedSubscription
  }
}
