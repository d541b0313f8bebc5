/// An invalid path of a field mask.
public struct FieldMaskError: Error, Hashable, Sendable {
  /// Why a path is invalid.
  public enum Reason: Hashable, Sendable {
    /// The message has no field of that name.
    case unknownField
    /// A part of the path is empty: a leading, trailing or doubled dot.
    case emptyPart
    /// The part names a oneof. A path must name one of its members.
    case oneof
    /// The path continues after a scalar, a repeated field or a map.
    case notASingularMessage
  }

  /// Why the path is invalid.
  public let reason: Reason
  /// The whole path, such as "vehicle_location.heding".
  public let path: String
  /// The invalid part of the path, such as "heding".
  public let part: String
  /// The message that was searched for the part, such as "maps.fleetengine.v1.VehicleLocation".
  public let messageName: String
  /// The .proto name of the field, if the part is its JSON name, differs only in case or has an
  /// index.
  public let suggestion: String?
  /// The members of the oneof that the part names.
  public let members: [String]

  /// Creates the error for a name that is not a field of the message.
  init(noField part: String, in message: any Message.Type, _ path: String) {
    let fields = message.fields.fields
    let members = fields.filter { field in field.oneof.map { "\($0)" } == part }
    let reason: Reason =
      part.isEmpty ? .emptyPart : members.isEmpty ? .unknownField : .oneof
    let name = part.prefix { $0 != "[" }.lowercased()
    let meant = fields.first { "\($0.name)".lowercased() == name }
    self.init(
      reason, part, in: message, path,
      suggestion: meant ?? fields.first { "\($0.jsonName)".lowercased() == name },
      members: members)
  }

  init(
    _ reason: Reason, _ part: String, in message: any Message.Type, _ path: String,
    suggestion: FieldDescriptor? = nil, members: [FieldDescriptor] = []
  ) {
    self.reason = reason
    self.path = path
    self.part = part
    messageName = message.messageName
    self.suggestion = suggestion.map { "\($0.name)" }
    self.members = members.map { "\($0.name)" }
  }
}

extension FieldMaskError: CustomStringConvertible {
  public var description: String {
    switch reason {
    case .emptyPart where path.isEmpty: "field mask: a path is empty"
    case .emptyPart: "field mask path \(path): a part is empty; separate names by one dot"
    case .unknownField: "field mask path \(path): \(messageName) has no field \(part)" + hint
    case .oneof:
      "field mask path \(path): \(part) of \(messageName) is a oneof; name its members: "
        + members.joined(separator: ", ")
    case .notASingularMessage:
      "field mask path \(path): \(part) of \(messageName) is not a singular message; "
        + "end the path after \(part)"
    }
  }

  private var hint: String {
    if part == "*" { return "; name each field" }
    let index = part.contains("[") ? "; a path cannot have an index, so leave it out" : ""
    return index + (suggestion.map { "; write \($0)" } ?? "")
  }
}
