import Tripwire

/// The end of `tripwire follow` when `--for` has expired.
struct FollowTimeout: Sendable {
  let limit: Duration
  /// The status of `--until`; nil if that was not given.
  let goal: TripStatus?

  /// Returns the exit code, or an error:
  ///
  /// - The server returned no trip: the error of the first trip that has one.
  /// - Some trips have not reached the status of `--until`: their names, with ``ExitCode/timedOut``.
  func outcome(of trips: [DisplayedTrip]) -> Result<ExitCode, ErrorReport> {
    if trips.allSatisfy({ $0.trip == nil }) {
      return .failure(trips.lazy.compactMap(\.problem?.report).first ?? unanswered)
    }
    guard let goal else { return .success(.success) }
    let outcomes = trips.map { trip in
      trip.trip.flatMap { FollowGoal(status: goal).outcome(at: $0.tripStatus) }
    }
    let missing = zip(trips, outcomes).filter { $0.1 == nil }.map(\.0)
    guard missing.isEmpty else { return .failure(timedOut(missing, goal)) }
    return .success(outcomes.contains(.otherEnd) ? .otherEnd : .success)
  }

  /// The error if there was neither a response nor a failure.
  private var unanswered: ErrorReport {
    ErrorReport(
      code: .deadlineExceeded, message: "no response within \(words(limit))",
      kind: .serverOrNetwork, hint: "raise --for, or trace the call with -v",
      method: String(TripServiceMethods.getTrip.path.dropFirst()),
      exitCode: .call(StatusCode.deadlineExceeded.rawValue))
  }

  private func timedOut(_ trips: [DisplayedTrip], _ goal: TripStatus) -> ErrorReport {
    let states = trips.map {
      "\($0.name) did not reach the status \(goal.optionValue) (\(state(of: $0)))"
    }
    var report = ErrorReport(
      local: "timed out after \(words(limit)): \(states.joined(separator: "; "))",
      hint: "raise --for to wait longer")
    report.exitCode = .timedOut
    return report
  }

  private func state(of trip: DisplayedTrip) -> String {
    if let status = trip.trip?.tripStatus { return "status is \(status.optionValue)" }
    return "no response" + (trip.problem.map { ", \($0.error.code)" } ?? "")
  }

  private func words(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    return Units.seconds(seconds, nanos: Int32(attoseconds / 1_000_000_000))
  }
}

extension TripStatus {
  /// The value for `--until`, "arrived-at-pickup"; the number of a status without a name.
  var optionValue: String {
    name.map { String($0.lowercased().map { $0 == "_" ? "-" : $0 }) } ?? String(rawValue)
  }
}
