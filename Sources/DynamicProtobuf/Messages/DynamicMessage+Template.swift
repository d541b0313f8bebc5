import WireProtobuf

extension DynamicMessage {
  /// Returns a message with every field set to its default, as a template of its JSON: each list
  /// and map has one element, and each oneof has its first member.
  ///
  /// A type inside itself is left empty, and so are messages after the first 2,000.
  package static func template(_ descriptor: MessageDescriptor, in pool: DescriptorPool) -> Self {
    var enclosing: Set<String> = []
    var budget = 2_000
    return template(descriptor, in: pool, &enclosing, &budget)
  }

  private static func template(
    _ descriptor: MessageDescriptor, in pool: DescriptorPool, _ enclosing: inout Set<String>,
    _ budget: inout Int
  ) -> Self {
    var message = DynamicMessage(descriptor, in: pool)
    budget -= 1
    if descriptor.hasJSONNull, let field = descriptor[1] {
      // google.protobuf.Value: an unset value cannot be represented in JSON.
      message.set(field, .enum(0))
    }
    guard !descriptor.hasCustomJSON, budget > 0, enclosing.insert(descriptor.fullName).inserted
    else {
      return message
    }
    defer { enclosing.remove(descriptor.fullName) }
    for field in descriptor.fields where message.mayAdd(field) {
      func value(_ type: FieldType) -> DynamicValue {
        guard case .message(let index) = type else { return type.initial(in: pool) }
        return .message(template(pool.messages[index], in: pool, &enclosing, &budget))
      }
      switch field.cardinality {
      case .singular:
        message.set(field, value(field.type))
      case .repeated:
        message.fields[field] = .list([value(field.type)])
      case .map:
        guard case .message(let index) = field.type, let key = pool.messages[index][1],
          let type = pool.messages[index][2]?.type, let name = MapKey(key.type.initial(in: pool))
        else { continue }
        message.fields[field] = .map([name: value(type)])
      }
    }
    return message
  }

  /// Whether no other member of the field's oneof is set.
  private func mayAdd(_ field: FieldDescriptor) -> Bool {
    field.oneof.map { member(ofOneof: $0) == nil } ?? true
  }
}
