package import DynamicProtobuf
import Recording
import Tripwire
import WireGRPC
package import WireProtobuf

/// Finds the types of the messages of a recording by the methods of their calls.
package struct MessageTypes {
  private struct Method {
    let descriptor: ServiceDescriptor.Method
    /// The kinds of resources that a request may have as a field.
    let kinds: [ResourceKind]
    /// The number of the field with the name of the resource; nil if there is none.
    let nameNumber: Int?
    /// Whether a request may name a resource.
    let namesResource: Bool

    init(_ descriptor: ServiceDescriptor.Method) {
      self.descriptor = descriptor
      let type = descriptor.input
      kinds = ResourceKind.allCases.filter { type[$0.field] != nil }
      nameNumber = type["name"].map { Int($0.number) }
      namesResource = nameNumber != nil || type["parent"] != nil || !kinds.isEmpty
    }
  }

  package let pool: DescriptorPool
  /// By their paths: a recording has many calls of the same methods.
  private let methods: [String: Method]

  package init(pool: DescriptorPool) {
    self.pool = pool
    methods = Dictionary(
      pool.services.flatMap(\.methods).map { ($0.path, Method($0)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// - Parameter path: "/package.Service/Method".
  func method(_ path: String?) -> ServiceDescriptor.Method? {
    path.flatMap { methods[$0] }?.descriptor
  }

  /// Returns the type of an entry's message; nil if it has none or the type is unknown.
  package func type(of entry: LoggedEntry) -> MessageDescriptor? {
    switch entry.value.type {
    case .clientMessage: method(entry.call.method)?.input
    case .serverMessage: method(entry.call.method)?.output
    default: nil
    }
  }

  package func read(
    _ bytes: [UInt8], as type: MessageDescriptor
  ) throws(DecodingError) -> (message: DynamicMessage, unknownFieldCount: Int) {
    var count = 0
    let message = try DynamicMessage(
      serializedBytes: bytes, as: type, in: pool, unknownFieldCount: &count)
    return (message, count)
  }

  /// Returns the resource name in a request, "providers/p/trips/t1"; nil if there is none.
  func resource(of entry: LoggedEntry) -> String? {
    guard case .message(let request) = entry.value.payload,
      let method = entry.call.method.flatMap({ methods[$0] }), method.namesResource
    else { return nil }
    // Most requests have a name, which is found without decoding the rest.
    if let number = method.nameNumber, let name = request.data.text(of: number), !name.isEmpty {
      return name
    }
    guard
      let (message, _) = try? read(
        entry.isComplete ? request.data : request.data.wholeFields, as: method.descriptor.input)
    else { return nil }
    let name = message.text(at: "name")
    guard name.isEmpty else { return name }
    let parent = message.text(at: "parent")
    // A request to create a resource has its parent and its ID; one to update a delivery has the resource.
    for kind in method.kinds {
      let id = message.text(at: kind.idField)
      if !id.isEmpty { return "\(parent)/\(kind.rawValue)/\(id)" }
      let name = message.text(at: kind.field + ".name")
      if parent.isEmpty, !name.isEmpty { return name }
    }
    return parent.isEmpty ? nil : parent
  }
}

/// Scans the fields of a message that is not decoded (protobuf's encoding, "Message Structure").
extension [UInt8] {
  /// The complete fields of a message that was cut short.
  package var wholeFields: [UInt8] {
    var end = 0
    while let next = field(at: end) { end = next.end }
    return Array(prefix(end))
  }

  /// The last text of a field; nil if it has none, or the message has groups or is malformed.
  func text(of number: Int) -> String? {
    var end = 0
    var text: Range<Int>?
    while let next = field(at: end) {
      if next.number == number { text = next.text }
      end = next.end
    }
    return end == count ? text.flatMap { String(validating: self[$0], as: UTF8.self) } : nil
  }

  /// A field with its number, its end, and the place of its text; nil if it is not complete, or a group.
  private func field(at start: Int) -> (number: Int, end: Int, text: Range<Int>?)? {
    guard let (tag, value) = varint(at: start), tag > 7 else { return nil }
    var text: Int?
    let end: Int?
    switch tag & 7 {
    case 0: end = varint(at: value)?.end
    case 1: end = value + 8
    case 2:
      end = varint(at: value).flatMap { length, start in
        text = start
        return Int(exactly: length).map { start.addingReportingOverflow($0).partialValue }
      }
    case 5: end = value + 4
    default: end = nil
    }
    guard let end, end >= value, end <= count else { return nil }
    return (Int(truncatingIfNeeded: tag >> 3), end, text.map { $0..<end })
  }

  private func varint(at start: Int) -> (value: UInt64, end: Int)? {
    var value: UInt64 = 0
    var index = start
    while index < count, index - start < 10 {
      value |= UInt64(self[index] & 0x7f) << UInt64(7 * (index - start))
      if self[index] < 0x80 { return (value, index + 1) }
      index += 1
    }
    return nil
  }
}
