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

  /// The JSON with integers written without ".0", because times and IDs are integers.
  package var claimJSON: String {
    switch kind {
    case .numberValue(let number)?:
      Int64(exactly: number).map { "\($0)" } ?? (try? jsonString()) ?? "null"
    case .structValue(let object)?: object.claimJSON
    case .listValue(let list)?: "[" + list.values.map(\.claimJSON).joined(separator: ",") + "]"
    case .stringValue, .boolValue, .nullValue, nil: (try? jsonString()) ?? "null"
    }
  }
}

extension Struct {
  fileprivate var claimJSON: String {
    let members = members.map { name, value in
      Value(kind: .stringValue(name)).claimJSON + ":" + value.claimJSON
    }
    return "{" + members.joined(separator: ",") + "}"
  }
}
