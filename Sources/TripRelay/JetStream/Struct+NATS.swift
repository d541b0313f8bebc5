import WireProtobuf

extension Struct {
  /// Returns the object as JSON for nats-server, which accepts no fraction in integers, not even `.0`.
  func natsJSON() throws(NATSError) -> String {
    var members: [String] = []
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      members.append("\(try json(of: Value(kind: .stringValue(name)))):\(try json(of: value))")
    }
    return "{\(members.joined(separator: ","))}"
  }

  private func json(of value: Value) throws(NATSError) -> String {
    switch value.kind {
    case .structValue(let object): return try object.natsJSON()
    case .listValue(let list):
      var elements: [String] = []
      for element in list.values { elements.append(try json(of: element)) }
      return "[\(elements.joined(separator: ","))]"
    case .numberValue(let number):
      if let integer = Int64(exactly: number) { return "\(integer)" }
    default: break
    }
    do {
      return try value.jsonString()
    } catch {
      throw NATSError(.other, "a value is not JSON: \(error)")
    }
  }
}
