import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// A resource as the engine keeps it.
protocol StoredResource: Sendable, Equatable {
  /// - Throws: if the record is not that of a resource of this kind.
  init(_ record: ResourceRecord) throws
  var record: ResourceRecord { get }
}

/// A resource in the form of a file.
package struct ResourceRecord: Sendable, Equatable {
  struct Invalid: Error, CustomStringConvertible {
    let description = "its times are not those of a resource of its kind"
  }

  /// In binary form.
  package let message: [UInt8]
  /// Further times, which are in no field of the message.
  var times: [Timestamp?] = []
}

extension ResourceRecord {
  /// - Parameter text: the times as a JSON array.
  package init(message: [UInt8], times text: String) throws {
    self.message = message
    let items = text.dropFirst().dropLast().split(separator: ",")
    times = try items.map { $0 == "null" ? nil : try Timestamp(jsonString: String($0)) }
  }

  /// The times as a JSON array.
  package var timesText: String {
    // The times are those of a clock, which have a JSON form.
    "[\(times.map { (try? $0?.jsonString()) ?? "null" }.joined(separator: ","))]"
  }
}

/// The parts of the name of a resource.
struct ResourceKey: Sendable, Hashable {
  let provider: String
  let kind: ResourceKind
  let id: String

  var name: String { "providers/\(provider)/\(kind.rawValue)/\(id)" }
}

extension ResourceKey {
  /// Parses a name.
  init(_ name: String) throws(ResourceNameError) {
    let name = try ResourceName(name, [.trip, .vehicle, .task, .deliveryVehicle])
    self.init(provider: name.providerID, kind: name.kind, id: name.id)
  }
}

extension ProviderState {
  subscript(kind: ResourceKind, id: String) -> (any StoredResource)? {
    get {
      switch kind {
      case .trip: trips[id]
      case .vehicle: vehicles[id]
      case .deliveryVehicle: deliveryVehicles[id]
      case .task: tasks[id]
      case .taskTrackingInfo: nil
      }
    }
    set {
      switch kind {
      case .trip: trips[id] = newValue as? StoredTrip
      case .vehicle: vehicles[id] = newValue as? StoredVehicle
      case .deliveryVehicle: deliveryVehicles[id] = newValue as? StoredDeliveryVehicle
      case .task: setTask(id, newValue as? StoredTask)
      case .taskTrackingInfo: break
      }
    }
  }

  /// Returns the resources that have changed since the last time, as they were.
  mutating func takeOld() -> [(kind: ResourceKind, id: String, old: (any StoredResource)?)] {
    trips.takeOld().map { (.trip, $0.key, $0.value) }
      + vehicles.takeOld().map { (.vehicle, $0.key, $0.value) }
      + deliveryVehicles.takeOld().map { (.deliveryVehicle, $0.key, $0.value) }
      + tasks.takeOld().map { (.task, $0.key, $0.value) }
  }
}

// MARK: - Kinds

extension ResourceKind {
  func resource(_ record: ResourceRecord) throws -> any StoredResource {
    switch self {
    case .trip: try StoredTrip(record)
    case .vehicle: try StoredVehicle(record)
    case .deliveryVehicle: try StoredDeliveryVehicle(record)
    case .task: try StoredTask(record)
    case .taskTrackingInfo: throw ResourceRecord.Invalid()
    }
  }
}

extension StoredTrip: StoredResource {
  init(_ record: ResourceRecord) throws {
    let times = record.times
    guard times.count == 5, let updated = times[0] else { throw ResourceRecord.Invalid() }
    self.init(try Trip(serializedBytes: record.message), at: updated)
    versions = TripVersions(
      route: times[1], traffic: times[2], waypoints: times[3], paths: times[4])
  }

  var record: ResourceRecord {
    ResourceRecord(
      message: bytes,
      times: [updated, versions.route, versions.traffic, versions.waypoints, versions.paths])
  }
}

extension StoredVehicle: StoredResource {
  init(_ record: ResourceRecord) throws {
    self.init(try Vehicle(serializedBytes: record.message))
  }

  var record: ResourceRecord { ResourceRecord(message: vehicle.serializedBytes()) }
}

extension StoredDeliveryVehicle: StoredResource {
  init(_ record: ResourceRecord) throws {
    guard record.times.count == 2 else { throw ResourceRecord.Invalid() }
    self.init(
      try DeliveryVehicle(serializedBytes: record.message), durationReported: record.times[0],
      arrived: record.times[1])
  }

  var record: ResourceRecord {
    ResourceRecord(message: vehicle.serializedBytes(), times: [durationReported, arrived])
  }
}

extension StoredTask: StoredResource {
  init(_ record: ResourceRecord) throws {
    self.init(try DeliveryTask(serializedBytes: record.message))
  }

  var record: ResourceRecord { ResourceRecord(message: bytes) }
}
