import Tripwire

/// What a trip is followed for.
struct FollowGoal: Sendable {
  /// Nil waits for the end, whichever it is.
  let status: TripStatus?

  /// What the command ends with when the trip has this status; nil as long as it is to be awaited.
  func outcome(at status: TripStatus) -> ExitCode? {
    let goal = self.status ?? .complete
    if status == goal { return .success }
    if status.isFinal { return goal != .canceled && status == .complete ? .success : .otherEnd }
    guard let rank = status.rank, let wanted = goal.rank else { return nil }
    return rank > wanted ? .success : nil
  }
}

extension TripStatus {
  /// How far a trip has got. On the way to the drop-off there may be several intermediate stops: these
  /// have not passed one another.
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
