package import ProtobufDescriptors

package final class EnumDescriptor: Sendable {
  /// The full name, such as "maps.fleetengine.v1.TripStatus".
  package let fullName: String
  package let proto: EnumDescriptorProto
  /// The index of its file in ``DescriptorPool/files``.
  package let file: Int
  /// Whether numbers without a name are valid values.
  let isOpen: Bool
  private let numbers: [String: Int32]
  private let names: [Int32: String]
  /// The numbers of names that are used only in JSON, as UTF-8.
  private let jsonNumbers: [[UInt8]: Int32]
  private let jsonNames: [Int32: String]

  init(fullName: String, proto: EnumDescriptorProto, file: Int, isOpen: Bool) {
    self.fullName = fullName
    self.proto = proto
    self.file = file
    self.isOpen = isOpen
    var numbers: [String: Int32] = [:]
    var names: [Int32: String] = [:]
    var jsonNumbers: [[UInt8]: Int32] = [:]
    var jsonNames: [Int32: String] = [:]
    for value in proto.value {
      let (name, number) = (value.name ?? "", value.number ?? 0)
      numbers[name] = number
      // The first of several names is written for the number.
      let isFirst = names[number] == nil
      if isFirst { names[number] = name }
      if let jsonName = value.options?.jsonName {
        if jsonNumbers[Array(jsonName.utf8)] == nil { jsonNumbers[Array(jsonName.utf8)] = number }
        if isFirst { jsonNames[number] = jsonName }
      }
    }
    self.numbers = numbers
    self.names = names
    self.jsonNumbers = jsonNumbers
    self.jsonNames = jsonNames
  }

  func number(_ name: String) -> Int32? {
    // Names are ASCII. Looking up other strings could take long.
    name.utf8.allSatisfy { $0 < 0x80 } ? numbers[name] : nil
  }

  /// Returns the number for a name in JSON: the .proto name or the JSON name.
  func number(json name: String) -> Int32? {
    if let number = number(name) { return number }
    return jsonNumbers.isEmpty ? nil : jsonNumbers[Array(name.utf8)]
  }

  /// The value of an unset field: the first, which need not be 0 in a closed enum.
  var initial: Int32 { proto.value.first?.number ?? 0 }

  func name(_ number: Int32) -> String? { names[number] }

  /// Returns the JSON name for a number.
  func jsonName(_ number: Int32) -> String? { jsonNames[number] ?? names[number] }

  /// Whether this is NullValue, whose JSON is null.
  var isNull: Bool { fullName == "google.protobuf.NullValue" }
}

extension EnumValueOptions {
  /// The option `(pb.enumvalue.json).string` of edition 2026; nil if it is unset. The generated
  /// options predate this extension.
  fileprivate var jsonName: String? {
    unknownFields.messages(998).flatMap { $0.texts(1) }.last
  }
}
