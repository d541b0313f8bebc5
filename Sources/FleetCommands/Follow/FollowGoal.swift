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

  /// Returns the exit code if following ends with this state; nil if it continues. The goal applies to
  /// trips only. A task or a shipment is followed until it is closed, a vehicle until the user stops it.
  func outcome(of resource: FleetResource) -> ExitCode? {
    if let trip = resource.trip { return outcome(at: trip.tripStatus) }
    return resource.isFinal ? .success : nil
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
