/// The name of a trip, `providers/{provider}/trips/{trip}`, known to be well formed.
///
/// The provider is the Cloud project. The trip ID is at most 64 characters of Unicode in
/// normalization form C, none of them `/ : ? , #` (Fleet Engine's reference, `trip_id`).
public struct TripName: Sendable, Hashable, CustomStringConvertible {
  public let providerID: String
  public let tripID: String

  /// - Throws: ``ResourceNameError`` that points at the wrong part.
  public init(_ name: String) throws(ResourceNameError) {
    let parts = try ResourceNameParts(name, collections: ["trips"])
    (providerID, tripID) = (parts.providerID, parts.id)
  }

  /// - Throws: ``ResourceNameError`` that points at the wrong part of the whole name.
  public init(providerID: String, tripID: String) throws(ResourceNameError) {
    try self.init("providers/\(providerID)/trips/\(tripID)")
  }

  /// The whole name.
  public var description: String { "providers/\(providerID)/trips/\(tripID)" }
}

/// The name of a vehicle, `providers/{provider}/vehicles/{vehicle}`, known to be well formed.
///
/// The vehicle ID follows the rules of a trip's, see ``TripName``.
public struct VehicleName: Sendable, Hashable, CustomStringConvertible {
  public let providerID: String
  public let vehicleID: String

  /// - Throws: ``ResourceNameError`` that points at the wrong part.
  public init(_ name: String) throws(ResourceNameError) {
    let parts = try ResourceNameParts(name, collections: ["vehicles"])
    (providerID, vehicleID) = (parts.providerID, parts.id)
  }

  /// - Throws: ``ResourceNameError`` that points at the wrong part of the whole name.
  public init(providerID: String, vehicleID: String) throws(ResourceNameError) {
    try self.init("providers/\(providerID)/vehicles/\(vehicleID)")
  }

  /// The whole name.
  public var description: String { "providers/\(providerID)/vehicles/\(vehicleID)" }
}

/// The name of something that can be asked for.
public enum ResourceName: Sendable, Hashable, CustomStringConvertible {
  case trip(TripName)
  case vehicle(VehicleName)

  /// Takes the kind from the collection in the name, `trips` or `vehicles`.
  ///
  /// - Throws: ``ResourceNameError`` that points at the wrong part.
  public init(_ name: String) throws(ResourceNameError) {
    let parts = try ResourceNameParts(name, collections: ["trips", "vehicles"])
    if parts.collection == "trips" {
      self = .trip(try TripName(name))
    } else {
      self = .vehicle(try VehicleName(name))
    }
  }

  /// The Cloud project.
  public var providerID: String {
    switch self {
    case .trip(let name): name.providerID
    case .vehicle(let name): name.providerID
    }
  }

  /// The whole name.
  public var description: String {
    switch self {
    case .trip(let name): name.description
    case .vehicle(let name): name.description
    }
  }
}

/// Why a name is none, and where.
public struct ResourceNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name as it was given.
  public let name: String
  /// The wrong part, as offsets of characters in ``name``; empty where something is missing.
  public let range: Range<Int>
  /// What is wrong there, and what would be right.
  public let reason: String

  /// The reason and the name, on one line.
  public var description: String { "\(reason) (at character \(range.lowerBound + 1) of \(name))" }
}
