/// The name of a resource of Fleet Engine.
public enum ResourceName: Sendable, Hashable, CustomStringConvertible {
  /// `providers/{provider}/trips/{trip}`.
  case trip(TripName)
  /// `providers/{provider}/vehicles/{vehicle}`.
  case vehicle(VehicleName)
  /// `providers/{provider}/tasks/{task}`.
  case task(TaskName)
  /// `providers/{provider}/deliveryVehicles/{vehicle}`.
  case deliveryVehicle(DeliveryVehicleName)
  /// `providers/{provider}/taskTrackingInfo/{trackingID}`.
  case taskTrackingInfo(TaskTrackingInfoName)

  /// Parses a name. Its collection, such as `trips`, determines the case.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part.
  public init(_ name: String) throws(ResourceNameError) {
    try self.init(name, ResourceKind.allCases)
  }

  /// - Parameter kinds: the allowed kinds, at least one.
  package init(_ name: String, _ kinds: [ResourceKind]) throws(ResourceNameError) {
    let parts = try ResourceNameParts(name, kinds)
    switch parts.kind {
    case .trip: self = .trip(TripName(parts: parts))
    case .vehicle: self = .vehicle(VehicleName(parts: parts))
    case .task: self = .task(TaskName(parts: parts))
    case .deliveryVehicle: self = .deliveryVehicle(DeliveryVehicleName(parts: parts))
    case .taskTrackingInfo: self = .taskTrackingInfo(TaskTrackingInfoName(parts: parts))
    }
  }

  private var parts: ResourceNameParts {
    switch self {
    case .trip(let name): name.parts
    case .vehicle(let name): name.parts
    case .task(let name): name.parts
    case .deliveryVehicle(let name): name.parts
    case .taskTrackingInfo(let name): name.parts
    }
  }

  package var kind: ResourceKind { parts.kind }

  /// The ID of the Cloud project.
  public var providerID: String { parts.providerID }

  /// The last part of the name.
  package var id: String { parts.id }

  /// The full name.
  public var description: String { parts.description }
}
