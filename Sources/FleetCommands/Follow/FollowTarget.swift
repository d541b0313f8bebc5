import CommandShell
import RelayAPI
import Tripwire

/// A resource that is followed, and its model.
package struct FollowTarget: Sendable {
  /// For errors of calls that this process did not make.
  package static let workerHint =
    "check the name, or trace the calls of the worker: tripwire relay work -v"
  private static let relayHint = "read the messages of tripwire-relay on stderr"

  let name: String
  let kind: ResourceKind
  /// The hint for the errors of its calls; nil if a relay reports it.
  let hint: Hint?
  let updates: any AsyncSequence<FollowUpdate, Never> & Sendable
  /// Returns the present state of the model, without changes.
  let current: @Sendable () -> FollowUpdate
  private let nextRefresh: @Sendable () -> ContinuousClock.Instant?

  init(_ model: some AnyResourceModel, _ kind: ResourceKind, hint: Hint?) {
    let model = model.typed
    name = model.name
    self.kind = kind
    self.hint = hint
    updates = model.updates.map { FollowUpdate($0) }
    current = { FollowUpdate(model.present) }
    nextRefresh = { model.nextRefresh }
  }

  /// - Parameter isLast: whether the failure ends the command, so that no wait is shown.
  func report(of failure: RefreshFailure, isLast: Bool = false) -> ErrorReport {
    var report =
      hint.map { ErrorReport(failure.error, $0) }
      ?? ErrorReport(
        failure.error,
        hint: failure.error.isOfRelay
          ? Self.relayHint : failure.error.kind == .client ? Self.workerHint : nil
      )
    report.subject = name
    // The error already has the server's message and the time of the next attempt.
    if !isLast, let refused = failure.error.refusedToken { report.message = refused.description }
    return report
  }

  /// The present state. Between updates, only its ages change.
  var displayed: DisplayedTarget { displayed(after: current()) }

  /// Returns the state of an update.
  ///
  /// - Parameter endsOnFailure: whether a failure ends the command, so that no request follows it.
  func displayed(after update: FollowUpdate, endsOnFailure: Bool = false) -> DisplayedTarget {
    let now = ContinuousClock.now
    return DisplayedTarget(
      name: name, kind: kind, resource: update.resource,
      problem: update.failure.map { failure in
        DisplayedTarget.Problem(
          error: failure.error, report: report(of: failure), age: now - failure.since,
          next: endsOnFailure ? nil : nextRefresh().map { $0 - now })
      }, age: update.refreshed.map { now - $0 }, isStale: update.isStale)
  }
}

/// The state of a followed resource when it is displayed. It is a class, because copies of a struct would
/// take more code than its uses.
final class DisplayedTarget {
  struct Problem {
    let error: CallError
    let report: ErrorReport
    let age: Duration
    /// The time until the next request.
    let next: Duration?
  }

  let name: String
  let kind: ResourceKind
  let resource: FleetResource?
  let problem: Problem?
  /// The time since the last response.
  let age: Duration?
  let isStale: Bool

  init(
    name: String, kind: ResourceKind, resource: FleetResource? = nil, problem: Problem? = nil,
    age: Duration? = nil, isStale: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.resource = resource
    self.problem = problem
    self.age = age
    self.isStale = isStale
  }
}
