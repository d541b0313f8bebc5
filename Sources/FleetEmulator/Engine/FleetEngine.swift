import Tripwire

/// The resources of all providers, and the rules of Fleet Engine for them.
///
/// It knows no clock: the time of each call is a parameter. A call that fails changes nothing.
package struct FleetEngine: Sendable {
  private var providers: [String: ProviderState] = [:]
  /// The changed resources as they were; nil for those that did not exist.
  private var changes: [ResourceKey: (any StoredResource)?] = [:]
  var tripParts = TripPartsCache()
  var stuckLocations: [StuckLocation] = []

  package init() {}

  /// Whether both have the same resources.
  func hasSameState(as other: FleetEngine) -> Bool { providers == other.providers }

  /// The state of a provider, which is empty before its first change.
  subscript(provider id: String) -> ProviderState {
    get { providers[id] ?? ProviderState() }
    _modify {
      defer {
        for (kind, resource, old) in providers[id]?.takeOld() ?? [] {
          let key = ResourceKey(provider: id, kind: kind, id: resource)
          if changes.index(forKey: key) == nil { changes.updateValue(old, forKey: key) }
        }
        // A failed call leaves no empty state behind.
        if providers[id] == ProviderState() { providers[id] = nil }
      }
      yield &providers[id, default: ProviderState()]
    }
  }

  /// The vehicles of both APIs that have reported a location.
  var locatedVehicles: some Sequence<FleetResource> {
    providers.values.lazy.flatMap { provider in
      provider.vehicles.resources.values.lazy.map(\.vehicle)
        .filter { $0.lastLocation != nil }.map(FleetResource.vehicle) as [FleetResource]
        + provider.deliveryVehicles.resources.values.lazy.map(\.vehicle)
        .filter { $0.lastLocation != nil }.map(FleetResource.deliveryVehicle)
    }
  }

  /// The state of the provider with a checked name.
  subscript(parent name: String) -> ProviderState { self[provider: ProviderName(name)?.id ?? ""] }

  /// A resource; nil if it does not exist.
  subscript(key: ResourceKey) -> (any StoredResource)? {
    get { providers[key.provider]?[key.kind, key.id] }
    set { self[provider: key.provider][key.kind, key.id] = newValue }
  }

  /// Adds a resource that was saved.
  ///
  /// - Throws: if the name or the record is invalid.
  package mutating func load(_ name: String, _ record: ResourceRecord) throws {
    let key = try ResourceKey(name)
    self[key] = try key.kind.resource(record)
    _ = takeChanges()
  }

  /// Saves all changes or, if that fails, undoes them.
  mutating func save(to store: any ResourceStore) throws(EngineError) {
    let changes = takeChanges()
    guard !changes.isEmpty else { return }
    do throws(EngineError) {
      try store.save(
        Dictionary(uniqueKeysWithValues: changes.keys.map { ($0.name, self[$0]?.record) }))
    } catch {
      restore(changes)
      throw error
    }
  }

  /// Returns the resources that have changed since the last time, as they were; nil for those that did not exist.
  mutating func takeChanges() -> [ResourceKey: (any StoredResource)?] {
    defer { changes = [:] }
    return changes
  }

  /// Undoes changes.
  mutating func restore(_ changes: [ResourceKey: (any StoredResource)?]) {
    for (key, old) in changes { self[key] = old }
    _ = takeChanges()
  }
}

/// The resources of a provider by their IDs.
struct ProviderState: Sendable, Equatable {
  var trips = ResourceTable<StoredTrip>()
  var vehicles = ResourceTable<StoredVehicle>()
  var deliveryVehicles = ResourceTable<StoredDeliveryVehicle>()
  /// To be added and removed by ``setTask(_:_:)``.
  var tasks = ResourceTable<StoredTask>()
  /// The IDs of the tasks with each tracking ID.
  var shipments: [String: Set<String>] = [:]
}
