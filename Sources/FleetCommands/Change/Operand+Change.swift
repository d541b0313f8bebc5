import CommandCalls
import CommandLine
import CommandShell
import DynamicProtobuf
import ProtobufDescriptors
import Tripwire

extension Operand {
  /// The resource to change, and its fields.
  static func change(_ verb: ChangeVerb) -> Operand {
    .custom(placeholder: "NAME") { $0.change(verb) }
  }
}

/// The operands of commands that change resources: a name, and then FIELD=VALUE.
extension Completer.Line {
  fileprivate func change(_ verb: ChangeVerb) -> [Candidate] {
    guard let name = operands.first else { return names(verb) }
    guard verb != .delete, let type = type(verb, name) else { return [] }
    return fields(of: type.message, in: type.pool)
  }

  private func names(_ verb: ChangeVerb) -> [Candidate] {
    var kinds = ResourceKind.allCases.filter { verb.method($0) != nil }
    if verb == .reportBillable { kinds = [.trip] }
    return Self.names(
      of: kinds, verb == .create ? [Candidate(word: "tasks", meaning: "many tasks")] : [])
  }

  /// The type whose fields the command sets; nil for a name of no resource.
  private func type(
    _ verb: ChangeVerb, _ name: String
  ) -> (message: MessageDescriptor, pool: DescriptorPool)? {
    guard let pool = try? EmbeddedSchema.schema().pool else { return nil }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let kind = parts.count > 1 ? ResourceKind(rawValue: String(parts[parts.count - 2])) : nil
    let type = verb == .reportBillable ? ReportBillableTripRequest.messageName : kind?.messageName
    return type.flatMap { pool.message($0) }.map { ($0, pool) }
  }

  /// `FIELD=`, or the value of an enum or a boolean after it. `FIELD.` for a message, and then its fields.
  private func fields(
    of type: MessageDescriptor, in pool: DescriptorPool
  ) -> [Candidate] {
    var type = type
    var path = ""
    let given = Parse.path(in: current)
    let names = (given ?? current).split(separator: ".", omittingEmptySubsequences: false)
    for name in names.dropLast() {
      guard let field = type[String(name)], let inner = inner(field, pool) else { return [] }
      type = inner
      path += "\(name)."
    }
    if given != nil {
      guard let field = names.last.flatMap({ type[String($0)] }) else { return [] }
      return values(of: field, pool).map { Candidate(word: "\(path)\(field.name)=\($0)") }
    }
    return type.fields.filter { (!path.isEmpty || $0.name != "name") && isSettable($0) }.map {
      field in
      Candidate(word: path + field.name + (inner(field, pool) == nil ? "=" : "."))
    }
  }

  /// Whether FIELD=VALUE or FIELD.FIELD=VALUE can set it. Lists of messages need JSON.
  private func isSettable(_ field: DynamicProtobuf.FieldDescriptor) -> Bool {
    if case .message = field.type { field.cardinality == .singular } else { true }
  }

  /// The type of a message field whose fields can be set one by one.
  private func inner(
    _ field: DynamicProtobuf.FieldDescriptor, _ pool: DescriptorPool
  ) -> MessageDescriptor? {
    guard case .message(let index) = field.type, field.cardinality == .singular,
      !pool.messages[index].hasCustomJSON
    else { return nil }
    return pool.messages[index]
  }

  private func values(
    of field: DynamicProtobuf.FieldDescriptor, _ pool: DescriptorPool
  ) -> [String] {
    switch field.type {
    case .enum(let index): pool.enums[index].proto.value.compactMap(\.name)
    case .scalar(let kind): kind.initial is Bool ? ["true", "false"] : []
    case .message: []
    }
  }
}
