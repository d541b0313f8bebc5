import Testing
import Tripwire

@testable import TripwireCLI

@Suite struct FollowTimeoutTests {
  private static let refused = CallError(
    code: .unavailable, message: "refused", origin: .transport)

  private func sight(
    _ id: String, _ status: TripStatus? = nil, error: CallError? = nil
  ) -> DisplayedTrip {
    let trip = status.map { status in
      var trip = Trip()
      trip.tripStatus = status
      return trip
    }
    let problem = error.map { error in
      DisplayedTrip.Problem(
        error: error, report: ErrorReport(error, hint: nil), age: .zero, next: nil)
    }
    return DisplayedTrip(name: "providers/p/trips/\(id)", trip: trip, problem: problem)
  }

  /// The exit code, and the message of the error if there is one.
  private func outcome(
    _ trips: DisplayedTrip..., until goal: TripStatus? = nil
  ) -> (code: Int32, message: String?) {
    switch FollowTimeout(limit: .seconds(600), goal: goal).outcome(of: trips) {
    case .success(let code): (code.rawValue, nil)
    case .failure(let report): (report.exitCode.rawValue, report.message)
    }
  }

  @Test func withoutAStatusAnyAnswerIsSuccess() {
    #expect(outcome(sight("a", .new)) == (0, nil))
    #expect(outcome(sight("a", .new, error: Self.refused)) == (0, nil))
    #expect(outcome(sight("a", error: Self.refused), sight("b", .new)) == (0, nil))
  }

  @Test(arguments: [nil, TripStatus.arrivedAtPickup])
  func withoutAnyAnswerTheFirstErrorIsTheOutcome(goal: TripStatus?) {
    let denied = CallError(code: .permissionDenied, message: "denied", origin: .server)
    #expect(outcome(sight("a", error: Self.refused), until: goal) == (78, "refused"))
    #expect(
      outcome(sight("a"), sight("b", error: denied), sight("c", error: Self.refused), until: goal)
        == (71, "denied"))
    #expect(outcome(sight("a"), until: goal) == (68, "no response within 10 min"))
  }

  @Test func tripsThatAreNotThereAreNamed() {
    #expect(
      outcome(sight("a", .enrouteToPickup), until: .arrivedAtPickup)
        == (
          4,
          "timed out after 10 min: status arrived-at-pickup not reached by providers/p/trips/a"
            + " (enroute-to-pickup)"
        ))
    #expect(
      outcome(
        sight("a", .arrivedAtPickup), sight("b", .unrecognized(99)),
        sight("c", error: Self.refused), sight("d"), sight("e", .canceled),
        until: .arrivedAtPickup)
        == (
          4,
          "timed out after 10 min: status arrived-at-pickup not reached by providers/p/trips/b (99),"
            + " providers/p/trips/c (no response, UNAVAILABLE), providers/p/trips/d (no response)"
        ))
  }

  @Test func tripsThatAreThereInTheLastMomentCount() {
    #expect(outcome(sight("a", .complete), until: .arrivedAtPickup) == (0, nil))
    #expect(
      outcome(sight("a", .complete), sight("b", .canceled), until: .arrivedAtPickup) == (3, nil))
  }
}
