package import WireProtobuf

extension DynamicMessage {
  /// Decodes the message in an Any; nil if its type is not in the pool, or if it is not a valid message of
  /// that type.
  package init?(in any: AnyMessage, from pool: DescriptorPool) {
    guard let type = TypeRegistry.typeName(in: any.typeUrl).flatMap(pool.message) else {
      return nil
    }
    var count = 0
    guard
      let message = try? DynamicMessage(
        serializedBytes: any.value, as: type, in: pool, unknownFieldCount: &count)
    else { return nil }
    self = message
  }
}

extension AnyMessage {
  /// Returns the canonical JSON; nil if the pool lacks the type, or if the message is invalid or has no
  /// JSON. Messages of unknown types inside it have their bytes as `@value`.
  package func json(in pool: DescriptorPool) -> String? {
    guard let message = DynamicMessage(in: self, from: pool), let value = message.json else {
      return nil
    }
    return JSONWriter.object { json in
      json.member("@type", typeUrl)
      if message.descriptor.hasCustomJSON {
        json.member("value", json: value)
      } else {
        json.members(ofObject: value)
      }
    }
  }
}

extension DynamicMessage {
  /// The canonical JSON; nil if it has none. Messages of unknown types have their bytes as `@value`.
  package var json: String? {
    try? jsonString(options: DynamicJSONOptions(showsUnknownTypes: true))
  }
}
