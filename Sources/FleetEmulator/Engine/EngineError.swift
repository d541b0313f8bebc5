package import WireGRPC
package import WireProtobuf

/// The failure of a call, with the details that Fleet Engine sends.
package struct EngineError: Error, Hashable, Sendable {
  package let status: RPCStatus

  package var code: StatusCode { StatusCode(rawValue: Int(status.code)) }

  package init(_ code: StatusCode, _ message: String, details: [AnyMessage] = []) {
    status = RPCStatus(code: Int32(code.rawValue), message: message, details: details)
  }

  static func notFound(_ resource: EngineResource) -> Self {
    Self(
      .notFound, "\(resource.name) does not exist",
      details: [resource.info("it does not exist")])
  }

  static func alreadyExists(_ resource: EngineResource) -> Self {
    Self(.alreadyExists, "\(resource.name) already exists", details: [resource.info("it exists")])
  }

  /// The state of a resource does not permit the call.
  ///
  /// - Parameter type: the kind of the violated condition, such as `TRIP_ACTIVE`.
  static func failedPrecondition(_ type: String, _ name: String, _ description: String) -> Self {
    let failure = PreconditionFailure(violations: [
      PreconditionFailure.Violation(type: type, subject: name, description: description)
    ])
    return Self(
      .failedPrecondition, "\(name): \(description)", details: [AnyMessage(packing: failure)])
  }

  static func invalid(_ field: String, _ description: String) -> Self {
    var violations = Violations()
    violations.add(field, description)
    return violations.error
  }
}

/// A resource in an error.
struct EngineResource {
  /// Its type, such as `Trip`.
  let type: String
  let name: String

  fileprivate func info(_ description: String) -> AnyMessage {
    AnyMessage(
      packing: ResourceInfo(
        resourceType: "fleetengine.googleapis.com/\(type)", resourceName: name,
        description: description))
  }
}
