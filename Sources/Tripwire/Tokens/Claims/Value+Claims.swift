import WireProtobuf

extension Value {
  /// The IDs in a claim: the string, or the strings of an array.
  package var ids: [String] {
    switch kind {
    case .stringValue(let id)?: [id]
    case .listValue(let list)?: list.values.compactMap(\.text)
    default: []
    }
  }
}
