public import FleetEngineAPI
public import FleetEngineDeliveryAPI
public import WireGRPC

/// The resources of one kind in a ``FleetEmulator``, by their IDs.
///
///     fleet.trips["t1"] = Trip(pickup: home, dropoff: station, vehicle: "v1")
///     fleet.trips["t1"]?.tripStatus = .enrouteToPickup
///     fleet.trips["t1"] = nil
///
/// The rules are those of the methods that create, update and delete resources, but fields that Fleet Engine maintains
/// are left as they are. A resource that breaks a rule is not stored, one that cannot be deleted stays, and all calls
/// for it fail with the reason until a valid one is set. ``set(_:_:)`` throws the reason.
public struct EmulatedResources<Resource: Sendable>: Sendable {
  let get: @Sendable (_ id: String) -> Resource?
  /// Returns the reason if the resource is not stored.
  let store: @Sendable (_ id: String, Resource?) -> EngineError?

  /// The resource with an ID as calls return it; nil if there is none.
  public subscript(id: String) -> Resource? {
    get { get(id) }
    nonmutating set { _ = store(id, newValue) }
  }

  /// Sets the resource with an ID, as the subscript does; nil deletes it.
  ///
  /// - Throws: why it is not stored or not deleted, such as an invalid ID or a vehicle with active trips.
  public func set(_ id: String, _ resource: Resource?) throws(CallError) {
    guard let status = store(id, resource)?.status else { return }
    throw CallError(
      code: StatusCode(rawValue: Int(status.code)), message: status.message,
      details: status.details.map(ErrorDetail.init), origin: .server)
  }
}

extension FleetEmulator {
  /// The trips of the provider. The vehicle of a trip is created at the pickup if it does not exist.
  public var trips: EmulatedResources<Trip> { resources() }
  /// The vehicles of the provider.
  public var vehicles: EmulatedResources<Vehicle> { resources() }
  /// The delivery vehicles of the provider.
  public var deliveryVehicles: EmulatedResources<DeliveryVehicle> { resources() }
  /// The tasks of the provider.
  public var tasks: EmulatedResources<DeliveryTask> { resources() }

  private func resources<Resource: EmulatedKind>() -> EmulatedResources<Resource> {
    EmulatedResources(
      get: { [fleet, providerID] id in
        guard let name = try? Resource.name(id, of: providerID) else { return nil }
        return try? fleet.change { state, now in
          try? Resource.stored(name, in: &state.engine, at: now)
        }.get()
      },
      store: { [fleet, providerID] id, resource in
        let name: ResourceName
        do throws(EngineError) {
          // Calls with a name that is not valid fail in any case.
          name = try Resource.name(id, of: providerID)
        } catch {
          return error
        }
        let result = fleet.change { state, now -> EngineError? in
          let before = state.engine
          do throws(EngineError) {
            if let resource {
              try resource.put(name, in: &state.engine, at: now)
            } else if (try? Resource.stored(name, in: &state.engine, at: now)) != nil {
              try Resource.delete(name, in: &state.engine, at: now)
            }
            state.faults.setNotStored(nil, name)
            return nil
          } catch {
            state.engine = before
            let error = error.notStored(name)
            state.faults.setNotStored(error, name)
            return error
          }
        }
        return switch result {
        case .success(let error): error
        case .failure(let error): error
        }
      })
  }
}

extension EngineError {
  fileprivate func notStored(_ name: ResourceName) -> Self {
    var status = status
    status.message = "the program could not store \(name): \(status.message)"
    return Self(status)
  }
}

extension Trip {
  /// Creates a trip for one passenger.
  ///
  /// - Parameters:
  ///   - pickup: where it begins.
  ///   - dropoff: where it ends.
  ///   - stops: the destinations between them, in order.
  ///   - vehicle: the ID of its vehicle; empty for none.
  public init(pickup: LatLng, dropoff: LatLng, stops: [LatLng] = [], vehicle: String = "") {
    self.init(
      vehicleId: vehicle, tripStatus: .new, tripType: .exclusive,
      pickupPoint: TerminalLocation(point: pickup),
      intermediateDestinations: stops.map { TerminalLocation(point: $0) },
      dropoffPoint: TerminalLocation(point: dropoff), numberOfPassengers: 1)
  }
}

extension Vehicle {
  /// Creates a car for four passengers that is online.
  public init(at place: LatLng) { self.init(at: place, time: nil) }
}
