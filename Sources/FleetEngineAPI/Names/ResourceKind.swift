/// A kind of resource that Fleet Engine names. The raw value is its collection in names.
package enum ResourceKind: String, CaseIterable, Sendable {
  case trip = "trips"
  case vehicle = "vehicles"
  case task = "tasks"
  case deliveryVehicle = "deliveryVehicles"
  case taskTrackingInfo = "taskTrackingInfo"

  private struct Descriptor {
    let noun: String
    let idForm: String
    let claim: String
    let hasList: Bool
  }

  private var descriptor: Descriptor {
    switch self {
    case .trip: Descriptor(noun: "trip", idForm: "TRIP", claim: "tripid", hasList: true)
    case .vehicle: Descriptor(noun: "vehicle", idForm: "VEHICLE", claim: "vehicleid", hasList: true)
    case .task: Descriptor(noun: "task", idForm: "TASK", claim: "taskid", hasList: true)
    case .deliveryVehicle:
      Descriptor(
        noun: "delivery vehicle", idForm: "VEHICLE", claim: "deliveryvehicleid", hasList: true)
    case .taskTrackingInfo:
      Descriptor(noun: "shipment", idForm: "TRACKING_ID", claim: "trackingid", hasList: false)
    }
  }

  /// The resource in messages, such as "delivery vehicle".
  package var noun: String { descriptor.noun }

  /// The resources in messages, such as "delivery vehicles".
  package var plural: String { noun + "s" }

  /// The ID in messages, such as "task ID".
  var idNoun: String { self == .taskTrackingInfo ? "tracking ID" : "\(noun) ID" }

  /// The claim of tokens that has the IDs of these resources, such as `tripid`.
  package var claim: String { descriptor.claim }

  /// Whether the API has a method that lists the resources.
  package var hasList: Bool { descriptor.hasList }

  /// Creates the kind of the IDs in a claim, such as `taskid` or `taskids`.
  package init?(claim: String) {
    guard
      let kind = Self.allCases.first(where: { $0.claim == (claim == "taskids" ? "taskid" : claim) })
    else { return nil }
    self = kind
  }

  /// The form of a name, "providers/PROJECT/trips/TRIP".
  package var form: String { "providers/PROJECT/\(shortForm)" }

  /// The form of a name without the provider, "trips/TRIP".
  package var shortForm: String { "\(rawValue)/\(descriptor.idForm)" }

  /// The resource as a key of JSON, such as "deliveryVehicle".
  package var jsonKey: String {
    rawValue.last == "s" ? String(rawValue.dropLast()) : rawValue
  }

  /// The resource in names of options, such as "delivery-vehicle"; "tracking" for a shipment.
  package var option: String { words.joined(separator: "-") }

  /// The field of the resource in requests, such as "delivery_vehicle".
  package var field: String { words.joined(separator: "_") }

  /// The field of its ID in requests, and its label in Google's logs, such as "delivery_vehicle_id".
  package var idField: String { field + "_id" }

  /// The ID of the resource as a key of JSON, such as "deliveryVehicleId".
  package var idKey: String {
    words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
      + "Id"
  }

  private var words: [Substring] { idNoun.split(separator: " ").dropLast() }

  /// The collection in snake case, such as "delivery_vehicles".
  package var snakeCaseCollection: String {
    rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}
