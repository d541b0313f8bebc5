import ProtobufDescriptors
import Testing
import WireProtobuf

@testable import DynamicProtobuf

/// Tests `(pb.enumvalue.json).string`. interop/dynamic/test_enum_names.py compares with Python.
@Suite struct EnumJSONNameTests {
  /// An enum whose value ONE has options with these bytes.
  static func descriptor(_ options: [UInt8]) throws -> EnumDescriptor {
    let one = EnumValueDescriptorProto(
      name: "ONE", number: 1, options: try EnumValueOptions(serializedBytes: options))
    return EnumDescriptor(
      fullName: "p.Enum", proto: EnumDescriptorProto(name: "Enum", value: [one]), file: 0,
      isOpen: true)
  }

  @Test func bothNamesAreRead() throws {
    let descriptor = try Self.descriptor([0xB2, 0x3E, 3, 0x0A, 1, UInt8(ascii: "1")])
    #expect(descriptor.jsonName(1) == "1")
    #expect(descriptor.name(1) == "ONE")
    #expect(descriptor.number(json: "1") == 1)
    #expect(descriptor.number(json: "ONE") == 1)
    #expect(descriptor.number("1") == nil)
    #expect(descriptor.jsonName(2) == nil)
  }

  @Test(arguments: [
    [], [0xB2, 0x3E, 0], [0xB2, 0x3E, 3, 0x0A, 1, 0xFF], [0xB2, 0x3E, 2, 0x0A, 1], [0xB0, 0x3E, 1],
    [0xB2, 0x3E, 2, 8, 1],
  ])
  func invalidOptionsKeepTheProtoName(_ options: [UInt8]) throws {
    #expect(try Self.descriptor(options).jsonName(1) == "ONE")
  }
}
