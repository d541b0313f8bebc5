import DynamicProtobuf
import Tripwire
import WireGRPC

/// A method of Fleet Engine, and the kind of the resources that it is about.
struct CloudLogMethod {
  let descriptor: ServiceDescriptor.Method
  let kind: ResourceKind

  /// Returns all methods by their plain names; see ``CloudLogNames/plain(_:)``.
  static func all(_ types: MessageTypes) -> [String: CloudLogMethod] {
    var methods: [String: CloudLogMethod] = [:]
    for descriptor in FleetMethod.all.keys.compactMap(types.method) {
      let name = CloudLogNames.plain(descriptor.name)
      // UpdateDeliveryVehicle also has the noun "vehicle".
      let kind = ResourceKind.allCases.filter { name.mentions(CloudLogNames.plain($0.jsonKey)) }
        .max { $0.jsonKey.utf8.count < $1.jsonKey.utf8.count }
      methods[name] = kind.map { CloudLogMethod(descriptor: descriptor, kind: $0) }
    }
    // Its former name.
    methods["searchtasks"] = methods["listtasks"]
    return methods
  }

  /// Returns the plain name of the method whose calls have this type.
  ///
  /// - Parameter type: "type.googleapis.com/maps.fleetengine.v1.UpdateTripLog", "updateTrip" of Fleet Archive, or
  ///   "jsonpayload_v1_updatetriplog" of BigQuery.
  static func name(ofType type: String) -> String {
    let last = type.utf8.split(separator: UInt8(ascii: ".")).last.map { String($0) ?? "" }
    var name = CloudLogNames.plain(last ?? "")[...]
    for suffix in ["restricted", "log", "restricted"] where name.hasSuffix(suffix) {
      name.removeLast(suffix.utf8.count)
    }
    for prefix in ["jsonpayload", "v1", "tos", "restricted"] where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.utf8.count)
    }
    return String(name)
  }

  /// The field of the ID in a request that creates a resource, "task_id".
  var idField: String { kind.idField }
}
