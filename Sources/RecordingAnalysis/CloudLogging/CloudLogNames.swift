import DynamicProtobuf
import ProtobufDescriptors
import Tripwire
import WireProtobuf

/// The names in the logs of Fleet Engine, and those of the API.
enum CloudLogNames {
  /// The names in the logs and in the API, if the message has no field with the former.
  private static let renamed = [
    "state": "vehiclestate", "status": "tripstatus", "type": "waypointtype",
    "locsensor": "locationsensor", "navstatus": "navigationstatus",
    "supportedtrips": "supportedtriptypes", "vehiclecategory": "category",
  ]

  /// Returns the name in lower case without underscores.
  static func plain(_ name: String) -> String {
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let isPlain = name.utf8.allSatisfy { !capitals.contains($0) && $0 != UInt8(ascii: "_") }
    if isPlain { return name }
    let letters = name.utf8.lazy.filter { $0 != UInt8(ascii: "_") }
    return String(
      decoding: letters.map { capitals.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Returns nil for a name that is unknown.
  static func field(
    _ name: String, of type: MessageDescriptor
  ) -> DynamicProtobuf.FieldDescriptor? {
    func field(_ plain: String) -> DynamicProtobuf.FieldDescriptor? {
      type.fields.first { Self.plain($0.name) == plain }
    }
    let plain = plain(name)
    return field(plain) ?? renamed[plain].flatMap(field)
  }

  /// Returns the paths of a field mask in snake_case; nil for a value of another form.
  static func paths(_ mask: Value) -> [String]? {
    switch mask.kind {
    case .stringValue(let text): text.split(separator: ",").map { snakeCase(String($0)) }
    case .structValue(let object):
      object.fields["value"].flatMap(paths)
        ?? object.fields["paths"]?.listValue?.values.compactMap(\.text).map(snakeCase)
    default: nil
    }
  }

  /// "GetTrip" and "getTrip" as "get_trip".
  static func snakeCase(_ name: String) -> String {
    name.utf8.reduce(into: "") { text, byte in
      let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      if isUpper, !text.isEmpty { text += "_" }
      text.unicodeScalars.append(Unicode.Scalar(isUpper ? byte | 0x20 : byte))
    }
  }
}

/// The values of an enum, by their names in the logs.
struct CloudLogEnum {
  /// How many names are kept.
  private static let nameLimit = 1_000

  /// The words that say nothing about a value.
  private let common: [String]
  /// By their other words.
  private var numbers: [String: Int32] = [:]
  /// By the names that were looked up so far; nil for unknown ones.
  private var known: [String: Int32?] = [:]

  init(_ type: EnumDescriptor) {
    common = Self.commonWords(type)
    for value in type.proto.value {
      guard let name = value.name, let number = value.number else { continue }
      numbers[words(name)] = number
      known[name] = number
    }
  }

  /// Returns nil for a name that the API does not have.
  mutating func number(_ name: String) -> Int32? {
    if let number = known[name] { return number }
    let number = numbers[words(name)]
    if known.count < Self.nameLimit { known[name] = .some(number) }
    return number
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

  private func words(_ name: String) -> String {
    var words = ""
    for word in name.utf8.prefix(256).split(separator: UInt8(ascii: "_")) {
      let text = String(decoding: word, as: UTF8.self)
      // The first value of an enum has either word.
      if !common.contains(text) { words += "_" + (text == "UNSPECIFIED" ? "UNKNOWN" : text) }
    }
    return words
  }
}
