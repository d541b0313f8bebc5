import CommandShell
import Tripwire

extension FleetResource {
  /// Returns the exit code if following ends with this state; nil if it continues. The goal applies to
  /// trips only. A task or a shipment is followed until it is closed, a vehicle until the user stops it.
  func outcome(_ goal: FollowGoal) -> ExitCode? {
    switch self {
    case .trip(let trip): goal.outcome(at: trip.tripStatus)
    case .vehicle, .deliveryVehicle: nil
    case .task(let task): task.isFinal ? .success : nil
    case .taskTrackingInfo(let info): info.isFinal ? .success : nil
    }
  }
}
