import Tripwire

/// A command that changes a resource. The raw value is the name of the command.
enum ChangeVerb: String, Sendable {
  case create
  case update
  case delete
  case reportBillable = "report-billable"

  /// The path of the method without the first slash; nil if the API has none.
  func method(_ kind: ResourceKind) -> String? {
    guard kind != .taskTrackingInfo else { return nil }
    guard self != .reportBillable else { return Self.name(TripServiceMethods.reportBillableTrip) }
    return String(kind.path(of: rawValue.prefix(1).uppercased() + rawValue.dropFirst()).dropFirst())
  }

  static let batch = name(DeliveryServiceMethods.batchCreateTasks)
  static let attributes = name(VehicleServiceMethods.updateVehicleAttributes)

  private static func name<Request, Response>(
    _ method: MethodDescriptor<Request, Response>
  ) -> String {
    String(method.path.dropFirst())
  }
}
