public import Foundation
import Tripwire
import WireIO

/// The trips that are followed. Made by ``GMTCServices``.
public final class GMTCTripService: NSObject, Sendable {
  /// A class, as Swift 6.3 crashes on a weak reference in a dictionary's missing value.
  private final class Entry: Sendable {
    /// Never let go under the lock, which its end takes.
    weak let model: GMTCTripModel?
    let id: ObjectIdentifier

    init(_ model: GMTCTripModel) {
      self.model = model
      id = ObjectIdentifier(model)
    }
  }

  let fleet: Result<FleetServices, CallError>
  private let entries = Locked<[String: Entry]>([:])

  init(_ fleet: Result<FleetServices, CallError>) {
    self.fleet = fleet
  }

  /// The model of a trip, the same for the same name as long as somebody holds it or follows the trip.
  ///
  /// - Parameter tripName: `providers/{provider}/trips/{trip}`. For one that is malformed the model
  ///   fails with INVALID_ARGUMENT, as the server would have it.
  public func tripModel(forTripName tripName: String) -> GMTCTripModel {
    entries.withLock { entries in
      if let model = entries[tripName]?.model { return model }
      let model = GMTCTripModel(tripwireModel(tripName)) { [weak self] id in
        self?.forget(tripName, id)
      }
      entries[tripName] = Entry(model)
      return model
    }
  }

  private func tripwireModel(_ name: String) -> TripModel {
    switch fleet {
    case .success(let fleet): fleet.tripService.tripModel(forTripName: name)
    case .failure(let error): TripModel(tripName: name, failing: error)
    }
  }

  public func hasTripModel(forTripName tripName: String) -> Bool {
    let model = entries.withLock { $0[tripName]?.model }
    return model != nil
  }

  /// The models that somebody holds, or whose trips are followed, in no order.
  public func allTripModels() -> [GMTCTripModel] {
    entries.withLock { $0.values.compactMap(\.model) }
  }

  /// Those whose trips are followed now.
  public func activeTripModels() -> [GMTCTripModel] {
    allTripModels().filter { $0.state == .active }
  }

  /// Another model may have come in its place.
  private func forget(_ name: String, _ id: ObjectIdentifier) {
    entries.withLock { entries in
      if entries[name]?.id == id { entries[name] = nil }
    }
  }
}
