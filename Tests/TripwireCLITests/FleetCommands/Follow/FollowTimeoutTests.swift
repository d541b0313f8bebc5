import Testing

@testable import CommandShell
@testable import FleetCommands
@testable import Tripwire

@Suite struct FollowTimeoutTests {
  private static let refused = CallError(
    code: .unavailable, message: "refused", origin: .transport)

  private func displayed(
    _ id: String, _ status: TripStatus? = nil, error: CallError? = nil
  ) -> DisplayedTarget {
    let trip = status.map { status in
      Trip(tripStatus: status)
    }
    let problem = error.map { error in
      DisplayedTarget.Problem(
        error: error, report: ErrorReport(error, hint: nil), age: .zero, next: nil)
    }
    return DisplayedTarget(
      name: "providers/p/trips/\(id)", kind: .trip, resource: trip.map { .trip($0) },
      problem: problem)
  }

  /// The exit code, and the message of an error.
  private func outcome(
    _ trips: DisplayedTarget..., until goal: TripStatus? = nil
  ) -> (code: Int32, message: String?) {
    switch FollowTimeout(limit: .seconds(600), goal: goal).outcome(of: trips) {
    case .success(let code): (code.rawValue, nil)
    case .failure(let report): (report.exitCode.rawValue, report.message)
    }
  }

  @Test func anyResponseIsSuccessWithoutAGoal() {
    #expect(outcome(displayed("a", .new)) == (0, nil))
    #expect(outcome(displayed("a", .new, error: Self.refused)) == (0, nil))
    #expect(outcome(displayed("a", error: Self.refused), displayed("b", .new)) == (0, nil))
  }

  @Test(arguments: [nil, TripStatus.arrivedAtPickup])
  func firstErrorIsTheOutcomeWithoutAResponse(goal: TripStatus?) {
    let denied = CallError(code: .permissionDenied, message: "denied", origin: .server)
    #expect(outcome(displayed("a", error: Self.refused), until: goal) == (78, "refused"))
    #expect(
      outcome(
        displayed("a"), displayed("b", error: denied), displayed("c", error: Self.refused),
        until: goal)
        == (71, "denied"))
    #expect(outcome(displayed("a"), until: goal) == (68, "no response within 10 min"))
  }

  @Test func relayWithoutStatesNeedsAWorker() {
    let timeout = FollowTimeout(limit: .seconds(600), goal: nil, isFromRelay: true)
    guard case .failure(let report) = timeout.outcome(of: [displayed("a")]) else {
      Issue.record("no error")
      return
    }
    #expect(
      report.hint
        == "check that a worker runs: tripwire relay status --nats URL, with the URL in --from")
    #expect(report.method == nil)
  }

  @Test func tripsBelowTheGoalAreNamed() {
    #expect(
      outcome(displayed("a", .enrouteToPickup), until: .arrivedAtPickup)
        == (
          4,
          "timed out after 10 min: providers/p/trips/a did not reach the status arrived-at-pickup"
            + " (status is enroute-to-pickup)"
        ))
    #expect(
      outcome(
        displayed("a", .arrivedAtPickup), displayed("b", .unrecognized(99)),
        displayed("c", error: Self.refused), displayed("d"), displayed("e", .canceled),
        until: .arrivedAtPickup)
        == (
          4,
          "timed out after 10 min: providers/p/trips/b did not reach the status arrived-at-pickup (status is 99);"
            + " providers/p/trips/c did not reach the status arrived-at-pickup (no response, UNAVAILABLE);"
            + " providers/p/trips/d did not reach the status arrived-at-pickup (no response)"
        ))
  }

  @Test func tripsAtTheGoalCountAsReached() {
    #expect(outcome(displayed("a", .complete), until: .arrivedAtPickup) == (0, nil))
    #expect(
      outcome(displayed("a", .complete), displayed("b", .canceled), until: .arrivedAtPickup) == (
        3, nil
      ))
  }
}
