import Tripwire

/// A trip that is followed, and how to speak of its errors.
struct FollowedTrip: Sendable {
  let name: String
  let model: TripModel
  let hint: Hint

  /// - Parameter isLast: whether the trip is not followed after it, so that there is no wait to show.
  func report(of failure: TripFailure, isLast: Bool = false) -> ErrorReport {
    var report = ErrorReport(failure.error, hint: hint.text(for: failure.error))
    report.subject = name
    // The server's own words are in it, and the time of the next attempt, too.
    if !isLast, let refused = failure.error.refusedToken { report.message = refused.description }
    return report
  }

  /// What is known of it now. That all is as it was, or still wrong, is no update.
  var displayed: DisplayedTrip {
    displayed(model.currentTrip, model.failure, model.isStale, model.refreshed)
  }

  /// What an update says.
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

/// The state of a followed trip at the time when it is displayed. A class, as copies of a struct would
/// take more code than everything that is done with it.
final class DisplayedTrip {
  struct Problem {
    let error: CallError
    let report: ErrorReport
    let age: Duration
    /// How long until the server is asked again.
    let next: Duration?
  }

  let name: String
  let trip: Trip?
  let problem: Problem?
  /// Since the server last said that the trip is so.
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
