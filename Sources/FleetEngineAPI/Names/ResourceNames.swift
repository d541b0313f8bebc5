/// A valid name of a trip: `providers/{provider}/trips/{trip}`.
///
/// The provider is the ID of the Cloud project. The trip ID has at most 64 Unicode characters in
/// normalization form C, none of them `/ : ? , #` (Fleet Engine reference, `trip_id`).
public struct TripName: Sendable, Hashable, CustomStringConvertible {
  let parts: ResourceNameParts

  init(parts: ResourceNameParts) { self.parts = parts }

  /// Parses a trip name.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part.
  public init(_ name: String) throws(ResourceNameError) {
    parts = try ResourceNameParts(name, [.trip])
  }

  /// Creates a trip name from its parts.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part in the full name.
  public init(providerID: String, tripID: String) throws(ResourceNameError) {
    parts = try ResourceNameParts(providerID, .trip, tripID)
  }

  /// The ID of the Cloud project.
  public var providerID: String { parts.providerID }
  /// The ID of the trip.
  public var tripID: String { parts.id }
  /// The full name.
  public var description: String { parts.description }
}

/// A valid name of a vehicle: `providers/{provider}/vehicles/{vehicle}`.
///
/// The rules for the vehicle ID are those for a trip ID; see ``TripName``.
public struct VehicleName: Sendable, Hashable, CustomStringConvertible {
  let parts: ResourceNameParts

  init(parts: ResourceNameParts) { self.parts = parts }

  /// Parses a vehicle name.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part.
  public init(_ name: String) throws(ResourceNameError) {
    parts = try ResourceNameParts(name, [.vehicle])
  }

  /// Creates a vehicle name from its parts.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part in the full name.
  public init(providerID: String, vehicleID: String) throws(ResourceNameError) {
    parts = try ResourceNameParts(providerID, .vehicle, vehicleID)
  }

  /// The ID of the Cloud project.
  public var providerID: String { parts.providerID }
  /// The ID of the vehicle.
  public var vehicleID: String { parts.id }
  /// The full name.
  public var description: String { parts.description }
}

/// A valid name of a task: `providers/{provider}/tasks/{task}`.
///
/// The rules for the task ID are those for a trip ID; see ``TripName``.
public struct TaskName: Sendable, Hashable, CustomStringConvertible {
  let parts: ResourceNameParts

  init(parts: ResourceNameParts) { self.parts = parts }

  /// Parses the name of a task.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part.
  public init(_ name: String) throws(ResourceNameError) {
    parts = try ResourceNameParts(name, [.task])
  }

  /// Creates the name of a task from its parts.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part in the full name.
  public init(providerID: String, taskID: String) throws(ResourceNameError) {
    parts = try ResourceNameParts(providerID, .task, taskID)
  }

  /// The ID of the Cloud project.
  public var providerID: String { parts.providerID }
  /// The ID of the task.
  public var taskID: String { parts.id }
  /// The full name.
  public var description: String { parts.description }
}

/// A valid name of a delivery vehicle: `providers/{provider}/deliveryVehicles/{vehicle}`.
///
/// The rules for the vehicle ID are those for a trip ID; see ``TripName``.
public struct DeliveryVehicleName: Sendable, Hashable, CustomStringConvertible {
  let parts: ResourceNameParts

  init(parts: ResourceNameParts) { self.parts = parts }

  /// Parses the name of a delivery vehicle.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part.
  public init(_ name: String) throws(ResourceNameError) {
    parts = try ResourceNameParts(name, [.deliveryVehicle])
  }

  /// Creates the name of a delivery vehicle from its parts.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part in the full name.
  public init(providerID: String, deliveryVehicleID: String) throws(ResourceNameError) {
    parts = try ResourceNameParts(providerID, .deliveryVehicle, deliveryVehicleID)
  }

  /// The ID of the Cloud project.
  public var providerID: String { parts.providerID }
  /// The ID of the delivery vehicle.
  public var deliveryVehicleID: String { parts.id }
  /// The full name.
  public var description: String { parts.description }
}

/// A valid name of the tracking information of a shipment:
/// `providers/{provider}/taskTrackingInfo/{tracking_id}`.
///
/// The rules for the tracking ID are those for a trip ID; see ``TripName``.
public struct TaskTrackingInfoName: Sendable, Hashable, CustomStringConvertible {
  let parts: ResourceNameParts

  init(parts: ResourceNameParts) { self.parts = parts }

  /// Parses the name.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part.
  public init(_ name: String) throws(ResourceNameError) {
    parts = try ResourceNameParts(name, [.taskTrackingInfo])
  }

  /// Creates the name from its parts.
  ///
  /// - Throws: ``ResourceNameError`` with the range of the invalid part in the full name.
  public init(providerID: String, trackingID: String) throws(ResourceNameError) {
    parts = try ResourceNameParts(providerID, .taskTrackingInfo, trackingID)
  }

  /// The ID of the Cloud project.
  public var providerID: String { parts.providerID }
  /// The tracking ID of the shipment.
  public var trackingID: String { parts.id }
  /// The full name.
  public var description: String { parts.description }
}
