import ProtobufDescriptors
import Testing

@testable import CodeGen

@Suite struct WarningsTests {
  static func file(_ name: String, package: String) -> FileDescriptorProto {
    var field = CodeGeneratorTests.field("count", 1, .int32)
    field.defaultValue = "5"
    var flag = CodeGeneratorTests.field("flag", 2, .bool)
    flag.defaultValue = "false"
    let inner = DescriptorProto(
      name: "Inner", field: [field, flag], extension: [CodeGeneratorTests.field("deep", 100, .bool)]
    )
    return FileDescriptorProto(
      name: name, package: package,
      messageType: [
        DescriptorProto(
          name: "Cart", field: [field, CodeGeneratorTests.field("owner", 2, .string)],
          nestedType: [inner])
      ],
      extension: [CodeGeneratorTests.field("note", 101, .string)])
  }

  @Test func warnsAboutDefaultsAndExtensions() {
    let request = CodeGeneratorRequest(
      fileToGenerate: ["a.proto", "b.proto", "c.proto"],
      protoFile: [
        Self.file("other.proto", package: "other"), Self.file("a.proto", package: "shop"),
        FileDescriptorProto(name: "b.proto", messageType: [DescriptorProto(name: "Empty")]),
        FileDescriptorProto(
          name: "c.proto", extension: [CodeGeneratorTests.field("bare", 1, .string)]),
      ])
    #expect(
      CodeGenerator.warnings(for: request) == [
        "a.proto: warning: default values are ignored; unset fields are nil: shop.Cart.count = 5, "
          + "shop.Cart.Inner.count = 5",
        "a.proto: warning: no code is generated for extensions, which are kept as unknown fields: shop.note, "
          + "shop.Cart.Inner.deep",
        "c.proto: warning: no code is generated for extensions, which are kept as unknown fields: bare",
      ])
  }
}
