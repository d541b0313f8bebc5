import DynamicProtobuf
import Tripwire
import WireProtobuf

/// Reads messages in the logs of Fleet Engine, and returns them as those of the API in binary form. The logs have
///
/// - field names of their own, such as `status` for `tripStatus`, in older data sets in lower case,
/// - enum values with other prefixes and suffixes, such as `TASK_STATE_LOG_OPEN` for `OPEN`,
/// - fields that the API does not have, which are left out and counted,
/// - in some exports, objects with `value` alone for a value,
/// - times in several forms,
/// - field masks whose paths are in snake_case or lowerCamelCase.
struct CloudLogMessages {
  /// A field that has a value if the log has none.
  struct Default {
    /// The names that lead to the field.
    var path: ArraySlice<String>
    let text: String
  }

  /// How many names are kept for each type.
  private static let nameLimit = 1_000
  /// How many fields that cannot be read are named, for each message.
  private static let problemLimit = 100
  /// Fields of requests that the API has in the resource name.
  private static let ids = Set(ResourceKind.allCases.map { CloudLogNames.plain($0.idField) })

  private struct Field {
    let descriptor: DynamicProtobuf.FieldDescriptor
    let content: Content
  }

  private enum Content {
    case scalar(any DynamicKind.Type)
    /// The index in the pool.
    case `enum`(Int)
    /// The index in `types`.
    case message(Int)
    case time
    case mask
    /// Another type with a form of its own.
    case custom(any Message.Type)
  }

  private struct MessageType {
    let descriptor: MessageDescriptor
    /// By the names that were looked up so far; nil for unknown ones.
    var fields: [String: Field?] = [:]
  }

  private let pool: DescriptorPool
  private var types: [MessageType] = []
  private var indices: [String: Int] = [:]
  /// By the indices in the pool.
  private var enums: [Int: CloudLogEnum] = [:]
  /// The fields of the current message that cannot be read, with their paths and the reasons.
  private var problems: [(path: String, reason: String)] = []
  private(set) var unknownFieldCount = 0
  private var unknownCounts: [String: Int] = [:]
  /// The most frequent ones.
  var unknownFields: [String] {
    unknownCounts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8).map(\.key)
  }

  init(_ pool: DescriptorPool) {
    self.pool = pool
  }

  /// Returns a message in binary form, and the fields that cannot be read.
  ///
  /// - Parameter text: a JSON object.
  mutating func read(
    _ text: Span<UInt8>, as type: MessageDescriptor, _ defaults: [Default] = []
  ) throws(JSONDecodingError) -> (bytes: [UInt8], problems: [String]) {
    let index = index(of: type)
    var bytes: [UInt8] = []
    problems = []
    try JSONReader.read(text) { reader throws(JSONDecodingError.Reason) in
      bytes = try message(index, defaults, &reader)
    }
    return (bytes, problems.map { "\(type.shortName)\($0.path): \($0.reason)" })
  }

  // MARK: Fields

  private mutating func message(
    _ type: Int, _ defaults: [Default] = [], _ reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> [UInt8] {
    var bytes: [UInt8] = []
    var missing = defaults
    try reader.members { reader, name throws(JSONDecodingError.Reason) in
      guard reader.peek() != UInt8(ascii: "n") else { return try reader.skipValue() }
      guard let field = field(name, of: type) else {
        if !Self.ids.contains(CloudLogNames.plain(name)) {
          countUnknown(name)
        } else if reader.peek() != UInt8(ascii: "\"") {
          problems.append((".\(name)", JSONDecodingError.Reason.expected(.string).text))
        }
        return try reader.skipValue()
      }
      let inner = missing.isEmpty ? [] : missing.filter { $0.path.first == field.descriptor.name }
      let count = bytes.count
      try part(".\(field.descriptor.name)", &reader) {
        log, reader throws(JSONDecodingError.Reason) in
        guard field.descriptor.cardinality == .repeated else {
          return try log.append(field, to: &bytes, inner, &reader)
        }
        var index = 0
        try reader.array { reader throws(JSONDecodingError.Reason) in
          try log.part("[\(index)]", &reader) { log, reader throws(JSONDecodingError.Reason) in
            try log.append(field, to: &bytes, [], &reader)
          }
          index += 1
        }
      }
      if bytes.count > count, !inner.isEmpty {
        missing.removeAll { $0.path.first == field.descriptor.name }
      }
    }
    for value in missing { append(value, of: type, to: &bytes) }
    return bytes
  }

  /// Reads a part of a message. If it cannot be read, it is left out, and the reason is noted.
  ///
  /// - Parameter step: the last step of its path.
  private mutating func part(
    _ step: @autoclosure () -> String, _ reader: inout JSONReader,
    _ read: (inout Self, inout JSONReader) throws(JSONDecodingError.Reason) -> Void
  ) throws(JSONDecodingError.Reason) {
    let count = problems.count
    let reason = try reader.recovering { reader throws(JSONDecodingError.Reason) in
      try read(&self, &reader)
    }
    if let reason, count < Self.problemLimit { problems.append(("", reason.text)) }
    for index in count..<problems.count { problems[index].path = step() + problems[index].path }
  }

  private mutating func append(
    _ field: Field, to bytes: inout [UInt8], _ defaults: [Default], _ reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) {
    let next = reader.peek()
    let number = field.descriptor.number
    switch field.content {
    case _ where next == UInt8(ascii: "n"): try reader.skipValue()
    case .message(let type):
      let inner = defaults.map { Default(path: $0.path.dropFirst(), text: $0.text) }
      bytes.append(number, message: try message(type, inner, &reader))
    case .time:
      guard let time = Timestamp(logged: try reader.value()) else { throw .expected(.timestamp) }
      bytes.append(number, message: time.serializedBytes())
    case .mask:
      guard let paths = CloudLogNames.paths(try reader.value()) else {
        throw .expected(.fieldMask)
      }
      bytes.append(number, message: FieldMask(paths: paths).serializedBytes())
    case _ where next == UInt8(ascii: "{"):
      var isFound = false
      try reader.members { reader, name throws(JSONDecodingError.Reason) in
        guard name == "value" else { return try reader.skipValue() }
        isFound = true
        try append(field, to: &bytes, [], &reader)
      }
      guard isFound else { throw .expected(.value) }
    case .custom(let type): bytes.append(number, message: try Self.read(type, &reader))
    case .enum(let index) where next == UInt8(ascii: "\""):
      let name = try reader.string()
      guard let value = value(name, of: index) else { return countUnknown(name) }
      field.descriptor.append(value, Int32Kind.self, to: &bytes)
    case .enum: try Self.append(Int32Kind.self, field.descriptor, to: &bytes, &reader)
    case .scalar(let kind): try Self.append(kind, field.descriptor, to: &bytes, &reader)
    }
  }

  private static func append<K: DynamicKind>(
    _ kind: K.Type, _ field: DynamicProtobuf.FieldDescriptor, to bytes: inout [UInt8],
    _ reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) {
    if let value = try K.readJSON(from: &reader) { field.append(value, kind, to: &bytes) }
  }

  private static func read<M: Message>(
    _ type: M.Type, _ reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> [UInt8] {
    var message = M()
    try message.readJSON(from: &reader)
    return message.serializedBytes()
  }

  private mutating func append(_ value: Default, of type: Int, to bytes: inout [UInt8]) {
    guard let name = value.path.first, let field = field(name, of: type) else { return }
    guard case .message(let type) = field.content else {
      return field.descriptor.append(value.text, StringKind.self, to: &bytes)
    }
    var inner: [UInt8] = []
    append(Default(path: value.path.dropFirst(), text: value.text), of: type, to: &inner)
    bytes.append(field.descriptor.number, message: inner)
  }

  // MARK: Names

  private mutating func index(of type: MessageDescriptor) -> Int {
    if let index = indices[type.fullName] { return index }
    types.append(MessageType(descriptor: type))
    indices[type.fullName] = types.count - 1
    return types.count - 1
  }

  /// Returns nil for a name that is unknown.
  private mutating func field(_ name: String, of type: Int) -> Field? {
    if let known = types[type].fields[name] { return known }
    let descriptor = CloudLogNames.field(name, of: types[type].descriptor)
    let field = descriptor.map { Field(descriptor: $0, content: content(of: $0)) }
    if types[type].fields.count < Self.nameLimit { types[type].fields[name] = .some(field) }
    return field
  }

  private mutating func content(of field: DynamicProtobuf.FieldDescriptor) -> Content {
    switch field.type {
    case .scalar(let kind): return .scalar(kind)
    case .enum(let index): return .enum(index)
    case .message(let index):
      let type = pool.messages[index]
      switch type.fullName {
      case Timestamp.messageName: return .time
      case FieldMask.messageName: return .mask
      default: break
      }
      return TypeRegistry.customJSONType(named: type.fullName).map { .custom($0) }
        ?? .message(self.index(of: type))
    }
  }

  private mutating func value(_ name: String, of type: Int) -> Int32? {
    enums[type, default: CloudLogEnum(pool.enums[type])].number(name)
  }

  private mutating func countUnknown(_ name: String) {
    unknownFieldCount += 1
    if unknownCounts.count < Self.nameLimit || unknownCounts[name] != nil {
      unknownCounts[name, default: 0] += 1
    }
  }
}

extension DynamicProtobuf.FieldDescriptor {
  /// Appends the field with its tag, unless it is equal to an unset one.
  fileprivate func append<K: DynamicKind>(
    _ value: K.Value, _ kind: K.Type, to bytes: inout [UInt8]
  ) {
    guard hasPresence || cardinality == .repeated || !K.isInitial(value) else { return }
    bytes.append(messageOf: 10 + K.size(of: value)) { writer throws(WireWriter.Full) in
      try writer.makeRoom()
      writer.put(tag: number, K.wireType)
      try K.write(value, to: &writer)
    }
  }
}

extension JSONReader {
  fileprivate mutating func value() throws(JSONDecodingError.Reason) -> Value {
    var value = Value()
    try value.readJSON(from: &self)
    return value
  }
}
