public import Foundation
import Tripwire

/// The trips that are followed. Made by ``GMTCServices``.
public final class GMTCTripService: NSObject, Sendable {
  let fleet: Result<FleetServices, CallError>
  private let models = ModelRegistry<GMTCTripModel>()

  init(_ fleet: Result<FleetServices, CallError>) {
    self.fleet = fleet
  }

  /// The model of a trip, the same for the same name as long as somebody holds it or follows the trip.
  ///
  /// - Parameter tripName: `providers/{provider}/trips/{trip}`. For one that is malformed the model
  ///   fails with INVALID_ARGUMENT, as the server would have it.
  public func tripModel(forTripName tripName: String) -> GMTCTripModel {
    models.model(named: tripName) { GMTCTripModel(tripwireModel(tripName), whenGone: $0) }
  }

  private func tripwireModel(_ name: String) -> TripModel {
    switch fleet {
    case .success(let fleet): fleet.tripService.tripModel(forTripName: name)
    case .failure(let error): TripModel(tripName: name, failing: error)
    }
  }

  public func hasTripModel(forTripName tripName: String) -> Bool { models.has(tripName) }

  /// The models that somebody holds, or whose trips are followed, in no order.
  public func allTripModels() -> [GMTCTripModel] { models.all }

  /// Those whose trips are followed now.
  public func activeTripModels() -> [GMTCTripModel] {
    allTripModels().filter { $0.state == .active }
  }
}
