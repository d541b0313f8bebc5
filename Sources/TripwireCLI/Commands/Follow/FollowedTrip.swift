import Tripwire

/// A followed trip, and the hint for the errors of its calls; nil if a relay reports it.
struct FollowedTrip: Sendable {
  /// For errors of calls that this process did not make.
  static let workerHint = "read the log of the worker that polls the trip"

  let name: String
  let model: TripModel
  let hint: Hint?

  /// - Parameter isLast: whether the failure ends the command, so that no wait is shown.
  func report(of failure: TripFailure, isLast: Bool = false) -> ErrorReport {
    var report =
      hint.map { ErrorReport(failure.error, $0) }
      ?? ErrorReport(
        failure.error,
        hint: failure.error.kind == .client ? Self.workerHint : nil
      )
    report.subject = name
    // The error already has the server's message and the time of the next attempt.
    if !isLast, let refused = failure.error.refusedToken { report.message = refused.description }
    return report
  }

  /// The present state. Between updates, only its ages change.
  var displayed: DisplayedTrip {
    displayed(model.currentTrip, model.failure, model.isStale, model.refreshed)
  }

  /// Returns the state of an update.
  func displayed(after update: TripUpdate) -> DisplayedTrip {
    displayed(update.trip, update.failure, update.isStale, update.refreshed)
  }

  private func displayed(
    _ trip: Trip?, _ failure: TripFailure?, _ isStale: Bool,
    _ refreshed: ContinuousClock.Instant?
  ) -> DisplayedTrip {
    let now = ContinuousClock.now
    return DisplayedTrip(
      name: name, trip: trip,
      problem: failure.map { failure in
        DisplayedTrip.Problem(
          error: failure.error, report: report(of: failure), age: now - failure.since,
          next: model.nextRefresh.map { $0 - now })
      }, age: refreshed.map { now - $0 }, isStale: isStale)
  }
}

/// The state of a followed trip when it is displayed. It is a class, because copies of a struct would take
/// more code than its uses.
final class DisplayedTrip {
  struct Problem {
    let error: CallError
    let report: ErrorReport
    let age: Duration
    /// The time until the next request.
    let next: Duration?
  }

  let name: String
  let trip: Trip?
  let problem: Problem?
  /// The time since the last response.
  let age: Duration?
  let isStale: Bool

  init(
    name: String, trip: Trip? = nil, problem: Problem? = nil, age: Duration? = nil,
    isStale: Bool = false
  ) {
    self.name = name
    self.trip = trip
    self.problem = problem
    self.age = age
    self.isStale = isStale
  }
}
