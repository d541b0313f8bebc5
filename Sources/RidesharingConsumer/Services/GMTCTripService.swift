public import Foundation
import Tripwire

/// Trip models. Created by ``GMTCServices``.
public final class GMTCTripService: NSObject, Sendable {
  let fleet: FleetServices
  private let models = ModelRegistry<GMTCTripModel>()

  init(_ fleet: FleetServices) {
    self.fleet = fleet
  }

  /// Returns the model of a trip. The same name yields the same model while it is held or its trip
  /// is followed.
  ///
  /// - Parameter tripName: `providers/{provider}/trips/{trip}`. The model of a malformed name fails
  ///   with INVALID_ARGUMENT, as on the server.
  public func tripModel(forTripName tripName: String) -> GMTCTripModel {
    models.model(named: tripName) {
      GMTCTripModel(fleet.tripService.tripModel(forTripName: tripName), whenGone: $0)
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
