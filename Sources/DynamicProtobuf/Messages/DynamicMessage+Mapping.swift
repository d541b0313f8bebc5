extension DynamicMessage {
  /// Returns the message with `change` applied to each value, including list elements. Nil removes
  /// the value.
  ///
  /// The result has no maps and no unknown fields.
  package func mapping(
    _ change: (FieldDescriptor, DynamicValue) -> DynamicValue?
  ) -> DynamicMessage {
    var result = DynamicMessage(descriptor, in: pool)
    for entry in fields.all {
      let field = entry.field
      switch entry.value {
      case .one(let value):
        if let value = change(field, value) { result.set(field, value) }
      case .list(let values):
        for value in values {
          if let value = change(field, value) { result.fields.append(value, to: field) }
        }
      case .map: break
      }
    }
    return result
  }
}
