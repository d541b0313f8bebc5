import DynamicProtobuf
import WireProtobuf

/// The rule for each field of Fleet Engine's messages and of error details in an anonymous copy. String
/// fields and message types that are not listed are dropped. Numbers, Booleans and enums are kept. A test
/// lists them, so each new numeric field has to be reviewed.
enum AnonymousFields {
  /// The packages of Fleet Engine, with a dot at the end.
  static let packages = ["maps.fleetengine.v1.", "maps.fleetengine.delivery.v1."]

  enum Rule {
    /// Keeps a number, a Boolean or a known value of an enum. No rule keeps text unchanged.
    case keep
    /// Apply the rules to the fields of the message.
    case enter
    case drop
    /// An ID, or the name of a resource.
    case id(AnonymousNames.Kind)
    case polyline
    case point
    /// A text for people.
    case text
    /// A version that consists of numbers.
    case version
    /// A constant in capitals.
    case constant
    /// The path of a field.
    case path
  }

  static func rule(
    for field: DynamicProtobuf.FieldDescriptor, of message: MessageDescriptor,
    in pool: DescriptorPool
  ) -> Rule {
    switch field.type {
    // An altitude can reveal the place.
    case .message where field.name == "altitude": .drop
    case .message(let index): rule(for: pool.messages[index].fullName)
    case .enum: .keep
    // Numbers and Booleans.
    case .scalar(let kind) where kind is any PackedKind.Type: .keep
    case .scalar: rule(for: field.name, of: message.fullName)
    }
  }

  private static func rule(for type: String) -> Rule {
    switch type {
    case "google.type.LatLng": .point
    case "google.protobuf.Timestamp", "google.protobuf.Duration", "google.protobuf.Int32Value",
      "google.protobuf.DoubleValue", "google.protobuf.BoolValue":
      .keep
    // Attributes can contain anything, and a rotated viewport is not a viewport.
    case "maps.fleetengine.v1.VehicleAttribute", "maps.fleetengine.v1.TripAttribute",
      "maps.fleetengine.v1.VehicleAttributeList", "maps.fleetengine.v1.LicensePlate",
      "maps.fleetengine.delivery.v1.DeliveryVehicleAttribute",
      "maps.fleetengine.delivery.v1.TaskAttribute", "google.geo.type.Viewport",
      "google.protobuf.Any":
      .drop
    default:
      packages.contains(where: type.hasPrefix) || type.hasPrefix("google.rpc.")
        || type == "google.protobuf.FieldMask" ? .enter : .drop
    }
  }

  /// The rule for a field that is not a message.
  private static func rule(for name: String, of message: String) -> Rule {
    if message.hasPrefix("google.rpc.") { return errorRule(for: name) }
    if let kind = AnonymousNames.Kind(field: name) { return .id(kind) }
    return switch name {
    case "name": .id(.name)
    case "parent": .id(.provider)
    case "place_id", "generated_id", "value", "access_point_id": .id(.place)
    case "page_token", "next_page_token": .id(.token)
    case "related_ids": .id(.related)
    case "trace_id": .id(.trace)
    case "current_route_segment", "encoded_path_to_waypoint": .polyline
    case "sdk_version", "os_version", "maps_sdk_version", "nav_sdk_version": .version
    case "paths": .path
    default: .drop
    }
  }

  private static func errorRule(for name: String) -> Rule {
    switch name {
    case "reason": .constant
    case "field": .path
    case "request_id": .id(.request)
    case "message", "description", "domain", "type", "subject", "resource_type", "resource_name",
      "quota_metric", "quota_id", "api_service":
      .text
    default: .drop
    }
  }
}
