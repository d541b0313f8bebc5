public import Foundation
import Tripwire

/// Trip models. Created by ``GMTCServices``.
public final class GMTCTripService: NSObject, Sendable {
  let fleet: Result<FleetServices, CallError>
  private let models = ModelRegistry<GMTCTripModel>()

  init(_ fleet: Result<FleetServices, CallError>) {
    self.fleet = fleet
  }

  /// Returns the model of a trip. The same name yields the same model while it is held or its trip
  /// is followed.
  ///
  /// - Parameter tripName: `providers/{provider}/trips/{trip}`. The model of a malformed name fails
  ///   with INVALID_ARGUMENT, as on the server.
  public func tripModel(forTripName tripName: String) -> GMTCTripModel {
    models.model(named: tripName) { GMTCTripModel(tripwireModel(tripName), whenGone: $0) }
  }

  private func tripwireModel(_ name: String) -> TripModel {
    switch fleet {
    case .success(let fleet): fleet.tripService.tripModel(forTripName: name)
    case .failure(let error): TripModel(tripName: name, failing: error)
    }
  }

  /// Whether a model of the trip is held or its trip is followed.
  public func hasTripModel(forTripName tripName: String) -> Bool { models.has(tripName) }

  /// The models that are held or whose trips are followed, in no particular order.
  public func allTripModels() -> [GMTCTripModel] { models.all }

  /// The models whose trips are followed now.
  public func activeTripModels() -> [GMTCTripModel] {
    allTripModels().filter { $0.state == .active }
  }
}
