import CommandShell
import Tripwire

extension FleetResource {
  /// Returns the exit code if following ends with this state; nil if it continues. The goal applies to
  /// trips only. A task or a shipment is followed until it is closed, a vehicle until the user stops it.
  func outcome(_ goal: FollowGoal) -> ExitCode? {
    if let trip { return goal.outcome(at: trip.tripStatus) }
    return isFinal ? .success : nil
  }
}
