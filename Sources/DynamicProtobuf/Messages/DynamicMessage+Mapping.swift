extension DynamicMessage {
  /// The message with what `change` makes of each value, those in lists too; nil takes it out.
  ///
  /// Maps and unknown fields have no part in the result.
  package func mapping(
    _ change: (FieldDescriptor, DynamicValue) -> DynamicValue?
  ) -> DynamicMessage {
    var result = DynamicMessage(descriptor, in: pool)
    for number in fields.keys.sorted() {
      guard let field = descriptor[number] else { continue }
      switch fields[number] {
      case .one(let value):
        if let value = change(field, value) { result.set(field, value) }
      case .list(let values):
        for value in values {
          if let value = change(field, value) { result.append(value, to: field) }
        }
      case .map, nil: break
      }
    }
    return result
  }
}
