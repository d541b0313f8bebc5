import FleetEngineAPI
package import WireGRPC
package import WireProtobuf

/// The failure of a call, with the details that Fleet Engine sends.
package struct EngineError: Error, Hashable, Sendable {
  /// Clients accept some kilobytes of trailers, and a request may have megabytes.
  static let longestMessage = 1_000
  static let longestText = 200

  package private(set) var status: RPCStatus

  init(_ status: RPCStatus) {
    self.status = status
    self.status.message = status.message.shortened(to: Self.longestMessage)
  }

  package init(_ code: StatusCode, _ message: String, details: [AnyMessage] = []) {
    self.init(RPCStatus(code: Int32(code.rawValue), message: message, details: details))
  }

  /// The invalid fields of the request.
  package var violations: [BadRequest.FieldViolation] {
    status.details.compactMap { try? $0.unpack(BadRequest.self) }.flatMap(\.fieldViolations)
  }

  static func noMethod(_ path: String) -> Self {
    Self(.unimplemented, "Fleet Engine has no method \(path.shortened(to: longestText))")
  }

  static func notFound(_ name: ResourceName) -> Self {
    Self(.notFound, "\(name) does not exist", details: [name.info("it does not exist")])
  }

  static func alreadyExists(_ name: ResourceName) -> Self {
    Self(.alreadyExists, "\(name) already exists", details: [name.info("it exists")])
  }

  /// The state of a resource does not permit the call.
  ///
  /// - Parameter type: the kind of the violated condition, such as `TRIP_ACTIVE`.
  static func failedPrecondition(
    _ type: String, _ name: ResourceName, _ description: String
  ) -> Self {
    let failure = PreconditionFailure(violations: [
      PreconditionFailure.Violation(
        type: type, subject: name.shown, description: description.shortened(to: longestText))
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

extension ResourceName {
  /// - Throws: INVALID_ARGUMENT for the field.
  init(
    checked name: String, _ kind: ResourceKind, _ field: String = "name"
  ) throws(EngineError) {
    do throws(ResourceNameError) {
      try self.init(name, [kind])
    } catch {
      throw .invalid(field, "\(error)")
    }
  }

  /// Creates the name of a resource of the same provider.
  func sibling(_ kind: ResourceKind, _ id: String, _ field: String) throws(EngineError) -> Self {
    try Self(checked: "providers/\(providerID)/\(kind.rawValue)/\(id)", kind, field)
  }

  fileprivate var shown: String { "\(self)".shortened(to: EngineError.longestText) }

  fileprivate func info(_ description: String) -> AnyMessage {
    let key = kind.jsonKey
    return AnyMessage(
      packing: ResourceInfo(
        resourceType:
          "fleetengine.googleapis.com/\(key.prefix(1).uppercased())\(key.dropFirst())",
        resourceName: shown, description: description))
  }
}
