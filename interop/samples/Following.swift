// The context of the samples of FollowingATrip.md and FollowingVehicles.md.

import Dispatch
import Tripwire

@MainActor func followTrip() async throws {
  // sample FollowingATrip
}

// sample FollowingATrip

@MainActor func subscribeToTrip() throws {
  let fleet = try simulatedFleet()
  let model = fleet.tripService.tripModel(forTripName: "providers/my-project/trips/t1")
  // sample FollowingATrip
}

func subscribeOnQueue() {
  // sample FollowingATrip
}

@MainActor func followVehicle() async throws {
  // sample FollowingVehicles
}

@MainActor func subscribeToVehicle() throws {
  let fleet = try simulatedFleet()
  let model = fleet.vehicleService.vehicleModel(
    forVehicleName: "providers/my-project/vehicles/v1")
  // sample FollowingVehicles
}
