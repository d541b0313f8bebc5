import CommandShell
import Tripwire

/// The status that a followed trip must reach.
struct FollowGoal: Sendable {
  /// Nil means any final status.
  let status: TripStatus?

  /// Returns the exit code for a trip with this status; nil while the goal may still be reached.
  func outcome(at status: TripStatus) -> ExitCode? {
    let goal = self.status ?? .complete
    if status == goal { return .success }
    if status.isFinal { return goal != .canceled && status == .complete ? .success : .otherEnd }
    guard let rank = status.rank, let wanted = goal.rank else { return nil }
    return rank > wanted ? .success : nil
  }
}

extension TripStatus {
  /// The progress of a trip. All intermediate stops have the same rank, because there may be several.
  fileprivate var rank: Int? {
    switch self {
    case .new: 0
    case .enrouteToPickup: 1
    case .arrivedAtPickup: 2
    case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination: 3
    case .enrouteToDropoff: 4
    case .complete: 5
    case .unknown, .canceled, .unrecognized: nil
    }
  }
}
