import Testing

@testable import CommandShell
@testable import FleetCommands
@testable import Tripwire

@Suite struct FollowGoalTests {
  @Test func completeTripIsTheDefaultGoal() {
    let goal = FollowGoal(status: nil)
    for status in TripStatus.allCases where status != .complete && status != .canceled {
      #expect(goal.outcome(at: status) == nil)
    }
    #expect(goal.outcome(at: .complete) == .success)
    #expect(goal.outcome(at: .canceled) == .otherEnd)
  }

  @Test func passedStatusesCountAsReached() {
    let goal = FollowGoal(status: .arrivedAtPickup)
    for status in [TripStatus.unknown, .new, .enrouteToPickup, .unrecognized(99)] {
      #expect(goal.outcome(at: status) == nil)
    }
    for status in [
      TripStatus.arrivedAtPickup, .enrouteToIntermediateDestination, .enrouteToDropoff, .complete,
    ] {
      #expect(goal.outcome(at: status) == .success)
    }
    #expect(goal.outcome(at: .canceled) == .otherEnd)
  }

  @Test func intermediateStopsHaveTheSameRank() {
    let goal = FollowGoal(status: .arrivedAtIntermediateDestination)
    #expect(goal.outcome(at: .enrouteToIntermediateDestination) == nil)
    #expect(goal.outcome(at: .arrivedAtIntermediateDestination) == .success)
    #expect(goal.outcome(at: .enrouteToDropoff) == .success)
  }

  @Test func completeTripDoesNotReachCanceled() {
    let goal = FollowGoal(status: .canceled)
    #expect(goal.outcome(at: .enrouteToDropoff) == nil)
    #expect(goal.outcome(at: .canceled) == .success)
    #expect(goal.outcome(at: .complete) == .otherEnd)
  }
}
