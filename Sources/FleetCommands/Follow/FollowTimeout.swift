import CommandShell
import Tripwire

/// The end of `tripwire follow` when `--for` has expired.
struct FollowTimeout: Sendable {
  let limit: Duration
  /// The status of `--until`; nil if that was not given.
  let goal: TripStatus?
  /// Whether the resources come from a relay, and not from calls.
  var isFromRelay = false

  /// Returns the exit code, or an error:
  ///
  /// - The server returned no resource: the error of the first one that has an error.
  /// - Some trips have not reached the status of `--until`: their names, with ``ExitCode/timedOut``.
  func outcome(of targets: [DisplayedTarget]) -> Result<ExitCode, ErrorReport> {
    if targets.allSatisfy({ $0.resource == nil }) {
      return .failure(
        targets.lazy.compactMap(\.problem?.report).first ?? unanswered(targets.first))
    }
    guard let goal else { return .success(.success) }
    let outcomes = targets.map { $0.resource.flatMap(FollowGoal(status: goal).outcome(of:)) }
    let missing = zip(targets, outcomes).filter { $0.1 == nil }.map(\.0)
    guard missing.isEmpty else { return .failure(timedOut(missing, goal)) }
    return .success(outcomes.contains(.otherEnd) ? .otherEnd : .success)
  }

  /// The error if there was neither a response nor a failure.
  private func unanswered(_ target: DisplayedTarget?) -> ErrorReport {
    ErrorReport(
      unanswered: "no response within \(Units.seconds(limit))",
      method: isFromRelay ? nil : target.map { String($0.kind.getPath.dropFirst()) },
      hint: isFromRelay
        ? "check that a worker runs: tripwire relay status --nats URL, with the URL in --from"
        : "raise --for, or trace the call with -v")
  }

  private func timedOut(_ trips: [DisplayedTarget], _ goal: TripStatus) -> ErrorReport {
    let states = trips.map {
      "\($0.name) did not reach the status \(goal.optionValue) (\(state(of: $0)))"
    }
    var report = ErrorReport(
      local: "timed out after \(Units.seconds(limit)): \(states.joined(separator: "; "))",
      hint: trips.first { $0.resource == nil && $0.problem?.error.code == .notFound }.map {
        "check the name \($0.name), or raise --for to wait longer"
      } ?? "raise --for to wait longer")
    report.exitCode = .timedOut
    return report
  }

  private func state(of target: DisplayedTarget) -> String {
    if let status = target.resource?.trip?.tripStatus { return "status is \(status.optionValue)" }
    return "no response" + (target.problem.map { ", \($0.error.code.named)" } ?? "")
  }
}

extension TripStatus {
  /// The value for `--until`, "arrived-at-pickup"; the number of a status without a name.
  var optionValue: String {
    name.map { String($0.lowercased().map { $0 == "_" ? "-" : $0 }) } ?? String(rawValue)
  }
}
