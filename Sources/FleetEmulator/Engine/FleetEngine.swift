/// The resources of all providers, and the rules of Fleet Engine for them.
///
/// It knows no clock: the time of each call is a parameter. A call that fails changes nothing.
package struct FleetEngine: Sendable {
  private var providers: [String: ProviderState] = [:]
  var tripParts = TripPartsCache()

  package init() {}

  /// Whether both have the same resources.
  func hasSameState(as other: FleetEngine) -> Bool { providers == other.providers }

  /// The state of a provider, which is empty before its first change.
  subscript(provider id: String) -> ProviderState {
    get { providers[id] ?? ProviderState() }
    _modify {
      // A failed call leaves no empty state behind.
      defer { if providers[id] == ProviderState() { providers[id] = nil } }
      yield &providers[id, default: ProviderState()]
    }
  }

  /// The state of the provider with a checked name.
  subscript(parent name: String) -> ProviderState { self[provider: ProviderName(name)?.id ?? ""] }
}

/// The resources of a provider by their IDs.
struct ProviderState: Sendable, Equatable {
  var trips: [String: StoredTrip] = [:]
  var vehicles: [String: StoredVehicle] = [:]
  var deliveryVehicles: [String: StoredDeliveryVehicle] = [:]
  var tasks: [String: StoredTask] = [:]
  /// The IDs of the tasks with each tracking ID.
  var shipments: [String: Set<String>] = [:]
}
