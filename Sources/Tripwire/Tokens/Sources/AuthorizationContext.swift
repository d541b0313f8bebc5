/// The resources for which a token is requested. The tokens of consumers and recipients are valid for
/// one resource only.
///
/// The IDs are bare, as in the claims of a token; `*` means all.
public struct AuthorizationContext: Sendable, Hashable {
  /// The resource name, such as `providers/{provider}/trips/{trip}`.
  public var resourceName: String
  /// The ID for the claim `tripid`; nil if the call does not concern one trip.
  public var tripID: String?
  /// The ID for the claim `vehicleid`; nil if the call does not concern one vehicle.
  public var vehicleID: String?
  /// The ID for the claim `taskid`; nil if the call concerns no tasks, or only creates those in
  /// ``taskIDs``.
  public var taskID: String?
  /// The IDs for the claim `taskids`, of the tasks that a call creates together; empty for other
  /// calls.
  public var taskIDs: [String] = []
  /// The ID for the claim `deliveryvehicleid`; nil if the call concerns no delivery vehicle.
  public var deliveryVehicleID: String?
  /// The ID for the claim `trackingid`; nil if the call does not concern a tracked shipment.
  public var trackingID: String?

  /// Creates the context of a call. See the properties.
  public init(resourceName: String, tripID: String? = nil, vehicleID: String? = nil) {
    self.resourceName = resourceName
    self.tripID = tripID
    self.vehicleID = vehicleID
  }
}

extension AuthorizationContext {
  /// The context of tokens that are valid for every call.
  package static let any = AuthorizationContext(resourceName: "")

  /// Creates the context of a resource by its name.
  package init(of resourceName: String) {
    self.init(resourceName: resourceName)
    guard let (_, collection, id) = nameSegments(of: resourceName) else { return }
    let octets = resourceName.utf8Span.span
    guard
      let kind = ResourceKind.allCases.first(where: { octets.equals($0.rawValue, in: collection) })
    else { return }
    self[kind] = octets.text(id)
  }

  package subscript(kind: ResourceKind) -> String? {
    get {
      switch kind {
      case .trip: tripID
      case .vehicle: vehicleID
      case .task: taskID
      case .deliveryVehicle: deliveryVehicleID
      case .taskTrackingInfo: trackingID
      }
    }
    set {
      switch kind {
      case .trip: tripID = newValue
      case .vehicle: vehicleID = newValue
      case .task: taskID = newValue
      case .deliveryVehicle: deliveryVehicleID = newValue
      case .taskTrackingInfo: trackingID = newValue
      }
    }
  }
}
