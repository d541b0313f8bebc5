/// Why a path of a field mask names no field.
public struct FieldMaskError: Error, Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// The message has no field of that name.
    case unknownField
    /// There is nothing below a scalar, and nothing below repeated fields and maps that a path
    /// could name.
    case notASingularMessage
  }

  public let reason: Reason
  /// The whole path, "vehicle_location.heding".
  public let path: String
  /// The part of it at fault, "heding".
  public let part: String
  /// The message in which the part was looked for, "maps.fleetengine.v1.VehicleLocation".
  public let messageName: String
  /// The name that was meant, when the part is one as JSON has it.
  public let suggestion: String?

  init(_ reason: Reason, _ path: String, _ part: String, _ message: any Message.Type) {
    self.reason = reason
    self.path = path
    self.part = part
    messageName = message.messageName
    suggestion = message.fields.fields.first { "\($0.jsonName)" == part }.map { "\($0.name)" }
  }
}

extension FieldMaskError: CustomStringConvertible {
  public var description: String {
    switch (reason, suggestion) {
    case (.unknownField, let name?):
      "field mask path \(path): \(messageName) has no field \(part); write \(name)"
    case (.unknownField, nil): "field mask path \(path): \(messageName) has no field \(part)"
    case (.notASingularMessage, _):
      "field mask path \(path): \(part) of \(messageName) is not a singular message, "
        + "so it can only come last"
    }
  }
}
