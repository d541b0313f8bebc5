/// A valid trip name: `providers/{provider}/trips/{trip}`.
///
/// The provider is the ID of the Cloud project. The trip ID has at most 64 Unicode characters in
/// normalization form C, none of them `/ : ? , #` (Fleet Engine reference, `trip_id`).
public struct TripName: Sendable, Hashable, CustomStringConvertible {
  public let providerID: String
  public let tripID: String

  /// Parses a trip name.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part.
  public init(_ name: String) throws(ResourceNameError) {
    let parts = try ResourceNameParts(name, collections: ["trips"])
    (providerID, tripID) = (parts.providerID, parts.id)
  }

  /// Creates a trip name from its parts.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part in the full name.
  public init(providerID: String, tripID: String) throws(ResourceNameError) {
    try self.init("providers/\(providerID)/trips/\(tripID)")
  }

  /// The full name.
  public var description: String { "providers/\(providerID)/trips/\(tripID)" }
}

/// A valid vehicle name: `providers/{provider}/vehicles/{vehicle}`.
///
/// The rules for the vehicle ID are those for a trip ID; see ``TripName``.
public struct VehicleName: Sendable, Hashable, CustomStringConvertible {
  public let providerID: String
  public let vehicleID: String

  /// Parses a vehicle name.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part.
  public init(_ name: String) throws(ResourceNameError) {
    let parts = try ResourceNameParts(name, collections: ["vehicles"])
    (providerID, vehicleID) = (parts.providerID, parts.id)
  }

  /// Creates a vehicle name from its parts.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part in the full name.
  public init(providerID: String, vehicleID: String) throws(ResourceNameError) {
    try self.init("providers/\(providerID)/vehicles/\(vehicleID)")
  }

  /// The full name.
  public var description: String { "providers/\(providerID)/vehicles/\(vehicleID)" }
}

/// The name of a trip or a vehicle.
public enum ResourceName: Sendable, Hashable, CustomStringConvertible {
  case trip(TripName)
  case vehicle(VehicleName)

  /// Parses a name. Its collection, `trips` or `vehicles`, determines the case.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part.
  public init(_ name: String) throws(ResourceNameError) {
    let parts = try ResourceNameParts(name, collections: ["trips", "vehicles"])
    if parts.collection == "trips" {
      self = .trip(try TripName(name))
    } else {
      self = .vehicle(try VehicleName(name))
    }
  }

  /// The ID of the Cloud project.
  public var providerID: String {
    switch self {
    case .trip(let name): name.providerID
    case .vehicle(let name): name.providerID
    }
  }

  /// The full name.
  public var description: String {
    switch self {
    case .trip(let name): name.description
    case .vehicle(let name): name.description
    }
  }
}

/// An error in a resource name, with the range of the invalid part.
public struct ResourceNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name as given.
  public let name: String
  /// The invalid part, as character offsets in ``name``; empty where a part is missing.
  public let range: Range<Int>
  /// The cause of the error and the expected form.
  public let reason: String

  /// The reason and the name, on one line.
  public var description: String { "\(reason) (at character \(range.lowerBound + 1) of \(name))" }
}
