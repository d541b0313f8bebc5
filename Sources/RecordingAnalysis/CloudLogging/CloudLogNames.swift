import DynamicProtobuf
import ProtobufDescriptors
import Tripwire
import WireProtobuf

/// Translates messages in the logs of Fleet Engine to the JSON of the API. The logs have
///
/// - field names of their own, such as `status` for `tripStatus`, in older data sets in lower case,
/// - enum values with other prefixes and suffixes, such as `TASK_STATE_LOG_OPEN` for `OPEN`,
/// - fields that the API does not have, which are left out and counted,
/// - in some exports, objects with `value` alone for a value,
/// - field masks whose paths are in snake_case or lowerCamelCase.
struct CloudLogNames {
  /// How many names are kept.
  private static let nameLimit = 1_000

  /// The names in the logs and in the API, if the message has no field with the former.
  private static let renamed = [
    "state": "vehiclestate", "status": "tripstatus", "type": "waypointtype",
    "locsensor": "locationsensor", "navstatus": "navigationstatus",
    "supportedtrips": "supportedtriptypes", "vehiclecategory": "category",
  ]
  /// Fields of requests that the API has in the resource name.
  private static let ids = Set(ResourceKind.allCases.map { plain($0.idField) })

  private let pool: DescriptorPool
  /// The names that were looked up so far, by the types.
  private var fields: [ObjectIdentifier: [String: DynamicProtobuf.FieldDescriptor?]] = [:]
  /// By the names of the types.
  private var values: [String: EnumNames] = [:]
  private(set) var unknownFieldCount = 0
  private var unknownCounts: [String: Int] = [:]
  /// The most frequent ones.
  var unknownFields: [String] {
    unknownCounts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8).map(\.key)
  }

  init(_ pool: DescriptorPool) {
    self.pool = pool
  }

  /// Returns the name in lower case without underscores.
  static func plain(_ name: String) -> String {
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let isPlain = name.utf8.allSatisfy { !capitals.contains($0) && $0 != UInt8(ascii: "_") }
    if isPlain { return name }
    let letters = name.utf8.lazy.filter { $0 != UInt8(ascii: "_") }
    return String(
      decoding: letters.map { capitals.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Returns the message as the JSON of the API.
  mutating func message(_ object: Struct, _ type: MessageDescriptor) -> Struct {
    var message = Struct()
    for (name, value) in object.fields where !value.isNull {
      guard let field = field(name, of: type) else {
        if !Self.ids.contains(Self.plain(name)) { countUnknown(name) }
        continue
      }
      guard let value = self.value(value, field) else { continue }
      message.fields[field.jsonName] = value
    }
    return message
  }

  /// Returns nil for a name that is unknown.
  private mutating func field(
    _ name: String, of type: MessageDescriptor
  ) -> DynamicProtobuf.FieldDescriptor? {
    let key = ObjectIdentifier(type)
    if let known = fields[key]?[name] { return known }
    func field(_ plain: String) -> DynamicProtobuf.FieldDescriptor? {
      type.fields.first { Self.plain($0.name) == plain }
    }
    let plain = Self.plain(name)
    let found = field(plain) ?? Self.renamed[plain].flatMap(field)
    if fields[key]?.count ?? 0 < Self.nameLimit { fields[key, default: [:]][name] = .some(found) }
    return found
  }

  /// Returns nil for null.
  private mutating func value(_ value: Value, _ field: DynamicProtobuf.FieldDescriptor) -> Value? {
    switch value.kind {
    case .nullValue, nil: return nil
    case .listValue(let list):
      return Value(
        kind: .listValue(ListValue(values: list.values.compactMap { self.value($0, field) })))
    case .structValue(let object):
      if case .message(let index) = field.type, !pool.messages[index].hasCustomJSON {
        return Value(kind: .structValue(message(object, pool.messages[index])))
      }
      if let paths = object.fields["paths"], case .listValue(let list) = paths.kind,
        isFieldMask(field)
      {
        return Self.mask(list.values.compactMap(\.text).joined(separator: ","))
      }
      guard object.fields.count == 1, let inner = object.fields["value"] else { return value }
      return self.value(inner, field)
    case .stringValue(let text):
      if isFieldMask(field) { return Self.mask(text) }
      guard case .enum(let index) = field.type else { return value }
      return enumValue(text, pool.enums[index]).map { Value(kind: .stringValue($0)) }
    default: return value
    }
  }

  private func isFieldMask(_ field: DynamicProtobuf.FieldDescriptor) -> Bool {
    guard case .message(let index) = field.type else { return false }
    return pool.messages[index].fullName == FieldMask.messageName
  }

  /// Returns the JSON of a mask with these comma-separated paths.
  private static func mask(_ paths: String) -> Value {
    let words = paths.split(separator: "_")
    let camel = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return Value(kind: .stringValue(words.prefix(1).joined() + camel.joined()))
  }

  /// Returns the name in the API; nil for one that it does not have.
  private mutating func enumValue(_ text: String, _ type: EnumDescriptor) -> String? {
    if let name = values[type.fullName]?.known[text] { return name }
    var names = values[type.fullName] ?? EnumNames(type)
    if names.known[text] == nil {
      names.known[text] = names.byWords[Self.words(text, without: names.common)]
    }
    values[type.fullName] = names
    if names.known[text] == nil { countUnknown(text) }
    return names.known[text]
  }

  private struct EnumNames {
    /// The words that say nothing about a value.
    let common: [String]
    /// By their other words.
    var byWords: [String: String] = [:]
    /// By the names that were found so far.
    var known: [String: String] = [:]

    init(_ type: EnumDescriptor) {
      common = CloudLogNames.commonWords(type)
      for value in type.proto.value {
        guard let name = value.name else { continue }
        byWords[CloudLogNames.words(name, without: common)] = name
        known[name] = name
      }
    }
  }

  /// "TASK", "STATE" of Task.State, and "LOG", which the types of the logs end with.
  private static func commonWords(_ type: EnumDescriptor) -> [String] {
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    var words = ["LOG"]
    // The names of packages are in lower case.
    for name in type.fullName.utf8.split(separator: UInt8(ascii: "."))
    where capitals.contains(name[name.startIndex]) {
      for byte in name {
        if capitals.contains(byte) { words.append("") }
        words[words.count - 1].unicodeScalars.append(Unicode.Scalar(byte & ~0x20))
      }
    }
    return words
  }

  private static func words(_ name: String, without common: [String]) -> String {
    var words = ""
    for word in name.utf8.prefix(256).split(separator: UInt8(ascii: "_")) {
      let text = String(decoding: word, as: UTF8.self)
      // The first value of an enum has either word.
      if !common.contains(text) { words += "_" + (text == "UNSPECIFIED" ? "UNKNOWN" : text) }
    }
    return words
  }

  private mutating func countUnknown(_ name: String) {
    unknownFieldCount += 1
    if unknownCounts.count < Self.nameLimit || unknownCounts[name] != nil {
      unknownCounts[name, default: 0] += 1
    }
  }
}

extension Value {
  fileprivate var isNull: Bool {
    if case .nullValue = kind { true } else { false }
  }
}
