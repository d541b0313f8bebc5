package import ProtobufDescriptors

/// An enum type.
package final class EnumDescriptor: Sendable {
  /// "maps.fleetengine.v1.TripStatus".
  package let fullName: String
  package let proto: EnumDescriptorProto
  /// Where its file is in ``DescriptorPool/files``.
  package let file: Int
  /// Whether numbers without a name are values.
  let isOpen: Bool
  private let numbers: [String: Int32]
  private let names: [Int32: String]

  init(fullName: String, proto: EnumDescriptorProto, file: Int, isOpen: Bool) {
    self.fullName = fullName
    self.proto = proto
    self.file = file
    self.isOpen = isOpen
    var numbers: [String: Int32] = [:]
    var names: [Int32: String] = [:]
    for value in proto.value {
      let (name, number) = (value.name ?? "", value.number ?? 0)
      numbers[name] = number
      // Of several names the first stands for the number.
      if names[number] == nil { names[number] = name }
    }
    self.numbers = numbers
    self.names = names
  }

  /// The number of a name.
  func number(_ name: String) -> Int32? {
    // Names are ASCII; to look for others could take long.
    name.utf8.allSatisfy { $0 < 0x80 } ? numbers[name] : nil
  }

  /// The value of a field that is not set: the first, which in a closed enum need not be 0.
  var initial: Int32 { proto.value.first?.number ?? 0 }

  func name(_ number: Int32) -> String? { names[number] }

  /// Whether it is the one whose value is null in JSON.
  var isNull: Bool { fullName == "google.protobuf.NullValue" }
}
