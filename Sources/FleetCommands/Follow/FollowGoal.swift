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
    guard let stage = status.stage, let wanted = goal.stage else { return nil }
    return stage > wanted ? .success : nil
  }

  /// Returns the exit code if following ends with this state; nil if it continues. The goal applies to
  /// trips only. A task or a shipment is followed until it is closed, a vehicle until the user stops it.
  func outcome(of resource: FleetResource) -> ExitCode? {
    if let trip = resource.trip { return outcome(at: trip.tripStatus) }
    return resource.isFinal ? .success : nil
  }
}
