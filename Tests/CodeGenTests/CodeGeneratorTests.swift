import ProtobufDescriptors
import Testing
import WireGRPC
import WireProtobuf

@testable import CodeGen

@Suite struct CodeGeneratorTests {
  /// Returns the plugin's response for one file.
  static func response(
    _ file: FileDescriptorProto, others: [FileDescriptorProto] = [], parameter: String = ""
  ) -> CodeGeneratorResponse {
    let request = CodeGeneratorRequest(
      fileToGenerate: [file.name ?? ""], parameter: parameter, protoFile: others + [file])
    return CodeGenerator.response(to: request) { path throws(GenerationError) in
      throw GenerationError("\(path): no such file")
    }
  }

  static func field(
    _ name: String, _ number: Int32, _ type: FieldDescriptorProto.TypeEnum,
    label: FieldDescriptorProto.Label = .optional, typeName: String? = nil, oneof: Int32? = nil
  ) -> FieldDescriptorProto {
    FieldDescriptorProto(
      name: name, number: number, label: label, type: type, typeName: typeName,
      oneofIndex: oneof, jsonName: SwiftNames.lowerCamel(name))
  }

  /// `make check-generated` compares whole files.
  @Test func commentsBecomeDocumentation() throws {
    let file = FileDescriptorProto(
      name: "cart.proto",
      messageType: [DescriptorProto(name: "Cart", field: [Self.field("owner_id", 1, .string)])],
      sourceCodeInfo: SourceCodeInfo(location: [
        .init(path: [4, 0], leadingComments: " What is to be bought.\n\n Soon.\n"),
        .init(
          path: [4, 0, 2, 0], leadingComments: " Whose it is.\n",
          trailingComments: " Never empty.\n"),
      ]),
      syntax: "proto3")
    let text = try #require(Self.response(file).file.first?.content)
    #expect(
      text.contains("\n/// What is to be bought.\n///\n/// Soon.\ninternal nonisolated struct Cart")
    )
    #expect(
      text.contains("\n  /// Whose it is.\n  ///\n  /// Never empty.\n  internal var ownerId"))
  }

  @Test func errorsAreInTheResponse() {
    let file = FileDescriptorProto(
      name: "x.proto",
      messageType: [
        DescriptorProto(name: "X", field: [Self.field("g", 1, .group, typeName: ".X.G")])
      ])
    #expect(Self.response(file).error == "x.proto: field g is a group, which is not supported")
    #expect(Self.response(FileDescriptorProto(name: "x.proto"), parameter: "nope").error != nil)
    #expect(
      Self.response(FileDescriptorProto(name: "x.proto"), parameter: "service_config=c.json").error
        == "c.json: no such file")
  }

  @Test func editionsAreRejected() {
    let file = FileDescriptorProto(name: "e.proto", syntax: "editions")
    let response = Self.response(file)
    #expect(
      response.error
        == "e.proto: editions are not supported; replace the edition with syntax = \"proto3\"")
    #expect(response.file.isEmpty)
    // Without these protoc reports an error of its own.
    #expect(response.supportedFeatures == 3)
    #expect(
      response.unknownFields.fields.map(\.value) == [.varint(998), .varint(UInt64(Int32.max))])
    // No code is generated for a file that is only imported.
    let user = FileDescriptorProto(name: "u.proto", dependency: ["e.proto"], syntax: "proto3")
    #expect(Self.response(user, others: [file]).error == nil)
  }

  /// Generates a.proto, with shop.Item and the service shop.Sale, and b.proto, with `message`.
  static func withPrefix(_ parameter: String, _ message: String) -> CodeGeneratorResponse {
    let sale = ServiceDescriptorProto(
      name: "Sale",
      method: [
        MethodDescriptorProto(name: "Sell", inputType: ".shop.Item", outputType: ".other.Far")
      ])
    let request = CodeGeneratorRequest(
      fileToGenerate: ["a.proto", "b.proto"], parameter: parameter,
      protoFile: [
        FileDescriptorProto(
          name: "far.proto", package: "other", messageType: [DescriptorProto(name: "Far")]),
        FileDescriptorProto(
          name: "a.proto", package: "shop", dependency: ["far.proto"],
          messageType: [DescriptorProto(name: "Item")], service: [sale]),
        FileDescriptorProto(
          name: "b.proto", package: "mall", messageType: [DescriptorProto(name: message)]),
      ])
    return CodeGenerator.response(to: request) { _ throws(GenerationError) in [] }
  }

  @Test func prefixReplacesThePackage() throws {
    let response = Self.withPrefix("prefix=Acme", "Kind")
    #expect(response.error == nil)
    let texts = response.file.compactMap(\.content)
    try #require(texts.count == 2)
    #expect(texts[0].contains("struct AcmeItem: Hashable"))
    #expect(texts[0].contains("messageName: String { \"shop.Item\" }"))
    #expect(texts[0].contains("enum AcmeSaleMethods"))
    // far.proto is generated elsewhere, with the default prefix.
    #expect(texts[0].contains("MethodDescriptor<AcmeItem, Other_Far>"))
    #expect(texts[0].contains("static var acmeAProto: TypeRegistry"))
    #expect(texts[1].contains("struct AcmeKind: Hashable"))
    #expect(Self.withPrefix("prefix=", "Kind").file[0].content?.contains("struct Item:") == true)
  }

  @Test(arguments: [("Item", "AcmeItem"), ("SaleClient", "AcmeSaleClient")])
  func prefixThatCausesACollisionIsRejected(_ message: String, _ name: String) {
    #expect(
      Self.withPrefix("prefix=Acme", message).error
        == "prefix=Acme: a.proto and b.proto both have a type \(name);"
        + " generate them with different prefixes")
    #expect(Self.withPrefix("", message).error == nil)
  }

  @Test func registryDependsOnTheOptions() {
    let file = FileDescriptorProto(name: "x.proto", messageType: [DescriptorProto(name: "X")])
    func lines(_ parameter: String) -> [Substring] {
      let text = Self.response(file, parameter: parameter).file.first?.content ?? ""
      return text.split(separator: "\n").filter {
        $0.hasPrefix("  @") || $0.hasSuffix(" TypeRegistry {")
      }.map { $0.drop { $0 == " " } }
    }
    let `extension`: Substring = "nonisolated extension TypeRegistry {"
    #expect(lines("") == [`extension`, "internal static var xProto: TypeRegistry {"])
    #expect(
      lines("access=package") == [`extension`, "package static var xProto: TypeRegistry {"])
    #expect(
      lines("access=public") == [
        `extension`, "@_alwaysEmitIntoClient", "public static var xProto: TypeRegistry {",
      ])
    #expect(lines("registry=false").isEmpty)
    #expect(lines("access=public,runtime=self").isEmpty)
    let empty = FileDescriptorProto(name: "y.proto")
    #expect(Self.response(empty).file.first?.content?.contains("TypeRegistry") == false)
  }

  @Test func modulesOfImportedFilesAreImported() {
    var file = FileDescriptorProto(name: "x.proto")
    file.dependency = ["a/b/c.proto", "a/b/d.proto", "a/e.proto"]
    func imports(_ parameter: String) -> [Substring]? {
      Self.response(file, parameter: parameter).file.first?.content?.split(separator: "\n")
        .filter { $0.contains("import ") }
    }
    #expect(imports("") == ["import WireProtobuf"])
    #expect(
      imports("access=public,module=a/b:Letters,module=a/f:Unused")
        == ["public import Letters", "public import WireProtobuf"])
  }

  @Test func registriesHaveUniqueNames() {
    let request = CodeGeneratorRequest(
      fileToGenerate: ["a-b.proto", "a_b.proto"],
      protoFile: ["a-b.proto", "a_b.proto"].enumerated().map { index, name in
        FileDescriptorProto(name: name, messageType: [DescriptorProto(name: "M\(index)")])
      })
    let texts = CodeGenerator.response(to: request) { _ throws(GenerationError) in [] }
      .file.compactMap(\.content)
    #expect(texts.count == 2)
    #expect(texts.first?.contains("static var aBProto1:") == true)
    #expect(texts.last?.contains("static var aBProto2:") == true)
  }

  @Test func versionEqualsThePackages() {
    #expect(CodeGenerator.version == UserAgent.version)
  }

  @Test func outputIsDeterministic() {
    let file = FileDescriptorProto(name: "x.proto", messageType: [DescriptorProto(name: "X")])
    #expect(Self.response(file) == Self.response(file))
    #expect(Self.response(file).supportedFeatures == 1)
  }
}
