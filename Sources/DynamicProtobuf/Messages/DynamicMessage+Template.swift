import WireProtobuf

extension DynamicMessage {
  /// A message in which every field is set, to its default: what the JSON of its type may have, with
  /// one element in each list and map. It has all members of each oneof, so it is for people to cut
  /// down.
  ///
  /// A type within itself is left empty, and so is what would make the template longer than some
  /// thousand messages.
  package static func template(_ descriptor: MessageDescriptor, in pool: DescriptorPool) -> Self {
    var around: Set<String> = []
    var budget = 2_000
    return template(descriptor, in: pool, &around, &budget)
  }

  private static func template(
    _ descriptor: MessageDescriptor, in pool: DescriptorPool, _ around: inout Set<String>,
    _ budget: inout Int
  ) -> Self {
    var message = DynamicMessage(descriptor, in: pool)
    budget -= 1
    if descriptor.hasJSONNull, let field = descriptor[1] {
      // Of google.protobuf.Value: that nothing is set has no JSON.
      message.set(field, .enum(0))
    }
    guard !descriptor.hasCustomJSON, budget > 0, around.insert(descriptor.fullName).inserted else {
      return message
    }
    defer { around.remove(descriptor.fullName) }
    for field in descriptor.fields {
      func value(_ type: FieldType) -> DynamicValue {
        guard case .message(let index) = type else { return type.initial(in: pool) }
        return .message(template(pool.messages[index], in: pool, &around, &budget))
      }
      switch field.cardinality {
      case .singular:
        message.fields[field.number] = .one(value(field.type))
      case .repeated:
        message.fields[field.number] = .list([value(field.type)])
      case .map:
        guard case .message(let index) = field.type, let key = pool.messages[index][1],
          let type = pool.messages[index][2]?.type, let name = MapKey(key.type.initial(in: pool))
        else { continue }
        message.fields[field.number] = .map([name: value(type)])
      }
    }
    return message
  }
}
