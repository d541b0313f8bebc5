/// Why a path of a field mask names no field.
public struct FieldMaskError: Error, Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// The message has no field of that name.
    case unknownField
    /// There is nothing before, after or between dots.
    case emptyPart
    /// It is the name of a oneof; paths name its members.
    case oneof
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
  /// The name that was meant, when the part is one as JSON has it, with other capitals or with an
  /// index.
  public let suggestion: String?
  /// The fields of the oneof that the part names.
  public let members: [String]

  /// That a message has no field of a name.
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

  /// That a path goes on after a field that is not a singular message.
  init(notASingularMessage part: String, in message: any Message.Type, _ path: String) {
    self.init(.notASingularMessage, part, in: message, path)
  }

  private init(
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
      "field mask path \(path): \(part) of \(messageName) is not a singular message, "
        + "so it can only come last"
    }
  }

  private var hint: String {
    if part == "*" { return "; name each field" }
    let index = part.contains("[") ? "; paths have no indices" : ""
    return index + (suggestion.map { "; write \($0)" } ?? "")
  }
}
