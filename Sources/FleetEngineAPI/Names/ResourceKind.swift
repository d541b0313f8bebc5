/// A kind of resource that Fleet Engine names. The raw value is its collection in names.
package enum ResourceKind: String, CaseIterable, Sendable {
  case trip = "trips"
  case vehicle = "vehicles"
  case task = "tasks"
  case deliveryVehicle = "deliveryVehicles"
  case taskTrackingInfo = "taskTrackingInfo"

  /// The resource in messages, such as "delivery vehicle".
  package var noun: String {
    switch self {
    case .trip: "trip"
    case .vehicle: "vehicle"
    case .task: "task"
    case .deliveryVehicle: "delivery vehicle"
    case .taskTrackingInfo: "shipment"
    }
  }

  /// The ID in messages, such as "task ID".
  var idNoun: String { self == .taskTrackingInfo ? "tracking ID" : "\(noun) ID" }

  /// The resource as a key of JSON, such as "deliveryVehicle".
  package var jsonKey: String {
    switch self {
    case .trip: "trip"
    case .vehicle: "vehicle"
    case .task: "task"
    case .deliveryVehicle: "deliveryVehicle"
    case .taskTrackingInfo: "taskTrackingInfo"
    }
  }

  /// The claim of tokens that has the IDs of these resources, such as `tripid`.
  package var claim: String {
    switch self {
    case .trip: "tripid"
    case .vehicle: "vehicleid"
    case .task: "taskid"
    case .deliveryVehicle: "deliveryvehicleid"
    case .taskTrackingInfo: "trackingid"
    }
  }

  /// Creates the kind of the IDs in a claim, such as `taskid` or `taskids`.
  package init?(claim: String) {
    guard
      let kind = Self.allCases.first(where: { $0.claim == (claim == "taskids" ? "taskid" : claim) })
    else { return nil }
    self = kind
  }

  /// The form of a name, "providers/PROJECT/trips/TRIP".
  var form: String {
    let id =
      switch self {
      case .trip: "TRIP"
      case .vehicle, .deliveryVehicle: "VEHICLE"
      case .task: "TASK"
      case .taskTrackingInfo: "TRACKING_ID"
      }
    return "providers/PROJECT/\(rawValue)/\(id)"
  }
}
