import ProtobufDescriptors
import Testing

@testable import DynamicProtobuf

@Suite struct DescriptorPoolTests {
  static func file(
    _ name: String, package: String = "p", imports: [String] = [],
    messages: [DescriptorProto] = [], enums: [EnumDescriptorProto] = []
  ) -> FileDescriptorProto {
    FileDescriptorProto(
      name: name, package: package, dependency: imports, messageType: messages, enumType: enums,
      syntax: "proto3")
  }

  static func message(_ name: String, _ fields: FieldDescriptorProto...) -> DescriptorProto {
    DescriptorProto(name: name, field: fields)
  }

  static func field(
    _ name: String, _ number: Int32, _ type: FieldDescriptorProto.TypeEnum? = .string,
    of typeName: String? = nil
  ) -> FieldDescriptorProto {
    FieldDescriptorProto(
      name: name, number: number, label: .optional, type: type, typeName: typeName)
  }

  static func error(_ files: FileDescriptorProto...) -> String? {
    do throws(DescriptorError) {
      _ = try DescriptorPool(files)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func resolvesTypesByScope() throws {
    let inner = Self.message("Inner", Self.field("text", 1))
    var outer = Self.message(
      "Outer", Self.field("whole", 1, .message, of: ".p.Outer.Inner"),
      Self.field("nested", 2, .message, of: "Inner"),
      Self.field("untyped", 3, nil, of: "Outer"), Self.field("far", 4, .message, of: "p.Other"))
    outer.nestedType = [inner]
    let pool = try DescriptorPool([
      Self.file("a.proto", messages: [outer, Self.message("Other")])
    ])
    let fields = try #require(pool.message("p.Outer")).fields
    let names = fields.map { field in
      if case .message(let index) = field.type { pool.messages[index].fullName } else { "" }
    }
    #expect(names == ["p.Outer.Inner", "p.Outer.Inner", "p.Outer", "p.Other"])
    guard case .field(let field, of: let message)? = pool["p.Outer.Inner.text"] else {
      Issue.record("no field")
      return
    }
    #expect(field.name == "text" && message.fullName == "p.Outer.Inner")
  }

  @Test func reportsMissingTypes() {
    let user = Self.message("A", Self.field("b", 1, .message, of: ".q.B"))
    #expect(
      Self.error(Self.file("a.proto", imports: ["b.proto"], messages: [user]))
        == "a.proto: .q.B is not defined; missing imports: b.proto")
    #expect(
      Self.error(Self.file("a.proto", messages: [user])) == "a.proto: .q.B is not defined")
    // Unused imports may be missing.
    #expect(Self.error(Self.file("a.proto", imports: ["b.proto"])) == nil)
  }

  @Test func rejectsInvalidDescriptors() {
    let twice = Self.message("A")
    #expect(
      Self.error(Self.file("a.proto", messages: [twice]), Self.file("b.proto", messages: [twice]))
        == "b.proto: p.A is defined twice")
    #expect(
      Self.error(
        Self.file(
          "a.proto", messages: [Self.message("A", Self.field("x", 1), Self.field("y", 1))]))
        == "a.proto: p.A has two fields with the number 1")
    #expect(
      Self.error(Self.file("a.proto", messages: [Self.message("A", Self.field("x", 0))]))
        == "a.proto: p.A.x has the invalid number 0")
    #expect(
      Self.error(Self.file("a.proto", messages: [Self.message("A\u{1b}[2J")]))
        == "a.proto: \"A[2J\" is not the name of a package or type")
    #expect(
      Self.error(
        Self.file(
          "a.proto", messages: [Self.message("A", Self.field("x", 1, .enum, of: ".p.A"))]))
        == "a.proto: p.A.x is declared as an enum, but .p.A is a message")
  }

  @Test(arguments: [nil, "", "proto2", "proto3", "editions"])
  func acceptsKnownSyntaxes(syntax: String?) {
    var file = Self.file("a.proto")
    file.syntax = syntax
    #expect(Self.error(file) == nil)
  }

  @Test func rejectsAnUnknownSyntax() {
    var file = Self.file("a.proto")
    file.syntax = "proto9"
    #expect(
      Self.error(file)
        == "a.proto: the syntax \"proto9\" is unknown; expected proto2, proto3 or editions")
  }

  @Test func namesTheFieldWithAnUnknownType() {
    var extending = Self.file("b.proto", messages: [Self.message("A")])
    var `extension` = Self.field("ext", 100, .unrecognized(77))
    `extension`.extendee = ".p.A"
    extending.extension = [`extension`]
    #expect(
      Self.error(extending)
        == "b.proto: p.ext has the unknown type 77, so its values cannot be read or written")
    #expect(
      Self.error(
        Self.file("a.proto", messages: [Self.message("A", Self.field("x", 1, .unrecognized(77)))]))
        == "a.proto: p.A.x has the unknown type 77, so its values cannot be read or written")
  }

  @Test(arguments: [nil, .message, .enum] as [FieldDescriptorProto.TypeEnum?])
  func namesTheFieldWithoutATypeName(type: FieldDescriptorProto.TypeEnum?) {
    #expect(
      Self.error(Self.file("a.proto", messages: [Self.message("A", Self.field("x", 1, type))]))
        == "a.proto: p.A.x refers to a type without a name")
  }

  @Test func namesTheMethodOrExtensionWithoutAType() {
    let method = MethodDescriptorProto(name: "Do")
    let service = ServiceDescriptorProto(name: "S", method: [method])
    var file = Self.file("a.proto")
    file.service = [service]
    #expect(Self.error(file) == "a.proto: p.S.Do refers to a type without a name")
    var extending = Self.file("b.proto")
    extending.extension = [Self.field("ext", 100)]
    #expect(Self.error(extending) == "b.proto: p.ext refers to a type without a name")
  }

  @Test func firstOfSeveralFilesWithOneNameCounts() throws {
    let pool = try DescriptorPool([
      Self.file("a.proto", messages: [Self.message("A")]),
      Self.file("a.proto", messages: [Self.message("B")]),
    ])
    #expect(pool.message("p.A") != nil && pool.message("p.B") == nil)
  }

  @Test(arguments: [
    ("remaining_waypoints", "remainingWaypoints"), ("a", "a"), ("_a_b", "AB"), ("a1_2b", "a12b"),
  ])
  func derivesJSONNames(name: String, json: String) {
    #expect(FieldDescriptor.defaultJSONName(of: name) == json)
  }
}
