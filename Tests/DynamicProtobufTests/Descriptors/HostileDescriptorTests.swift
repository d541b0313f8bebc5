import ProtobufDescriptors
import Testing
import WireProtobuf

@testable import DynamicProtobuf

/// Descriptors that no compiler generates cause an error or usable types, within a short time.
@Suite(.timeLimit(.minutes(20))) struct HostileDescriptorTests {
  private typealias Tests = DescriptorPoolTests

  private static func pool(_ messages: DescriptorProto...) throws(DescriptorError) -> DescriptorPool
  {
    try DescriptorPool([Tests.file("a.proto", messages: messages)])
  }

  private static func nested(_ depth: Int, name: String) -> DescriptorProto {
    var message = Tests.message(name)
    for _ in 1..<depth {
      var outer = Tests.message(name)
      outer.nestedType = [message]
      message = outer
    }
    return message
  }

  @Test func longNestedNamesAreRejected() {
    let long = String(repeating: "n", count: 100)
    let message = Self.nested(90, name: long)
    let error = Tests.error(Tests.file("a.proto", messages: [message]))
    #expect(error?.contains("longer than 512 bytes") == true)
    #expect(Tests.error(Tests.file("a.proto", messages: [Self.nested(90, name: "M")])) == nil)
  }

  /// A type name without its scope is looked up in each scope around the field.
  @Test func scopeLookupsAreLimited() {
    let deep = Array(repeating: "a", count: 250).joined(separator: ".")
    func error(fields count: Int32, of name: String) -> String? {
      var message = Tests.message("M")
      message.field = (1...count).map { Tests.field("f\($0)", $0, .message, of: name) }
      return Tests.error(
        Tests.file("a.proto", package: "a", messages: [Tests.message("T")]),
        Tests.file("b.proto", package: deep, imports: ["a.proto"], messages: [message]))
    }
    #expect(error(fields: 20_000, of: ".a.T") == nil)
    #expect(error(fields: 2_000, of: "T") == nil)
    #expect(
      error(fields: 100_000, of: "T")?.hasPrefix("b.proto: too many type names have no leading dot")
        == true)
    // Names longer than the limit are not looked up.
    let long = String(repeating: "n", count: 1 << 20)
    #expect(error(fields: 1, of: long)?.contains("is not defined") == true)
  }

  @Test func errorsAreShort() {
    let imports = (0..<10_000).map { "missing\($0).proto" }
    let error = Tests.error(
      Tests.file(
        String(repeating: "f\u{1b}", count: 10_000), imports: imports,
        messages: [Tests.message("A", Tests.field("x", 1, .message, of: ".p.B"))]))
    #expect(error?.hasSuffix("missing7.proto and 9992 more") == true)
    #expect(error.map { $0.utf8.count < 1_000 && !$0.contains("\u{1b}") } == true)
  }

  /// Each member replaces another. Searching all members each time would take hours.
  @Test func oneofWithManyMembersIsFast() throws {
    var message = Tests.message("M")
    message.oneofDecl = [OneofDescriptorProto(name: "o")]
    message.field = (1...200_000).map { number in
      var field = Tests.field("f\(number)", Int32(number), .bool)
      field.oneofIndex = 0
      return field
    }
    let pool = try Self.pool(message)
    let type = try #require(pool.message("p.M"))
    var bytes: [UInt8] = []
    bytes.append(messageOf: 1_200_000) { writer in
      for number in 1...200_000 {
        writer.put(tag: number, .varint)
        writer.put(varint: 1)
      }
    }
    var unknown = 0
    let read = try DynamicMessage(
      serializedBytes: bytes, as: type, in: pool, unknownFieldCount: &unknown)
    #expect(try read.jsonUTF8Bytes() == Array(#"{"f200000":true}"#.utf8))
    #expect(throws: JSONDecodingError.self) {
      try DynamicMessage(
        jsonUTF8Bytes: Array(#"{"f1": true, "f2": true}"#.utf8), as: type, in: pool)
    }
  }

  @Test func invalidMapEntriesAreOrdinaryMessages() throws {
    for type in [FieldDescriptorProto.TypeEnum.message, .double, .bytes] {
      var entry = Tests.message(
        "E", Tests.field("key", 1, type, of: ".p.E"), Tests.field("value", 2))
      entry.options = MessageOptions(mapEntry: true)
      var field = Tests.field("map", 1, .message, of: ".p.E")
      field.label = .repeated
      let pool = try Self.pool(entry, Tests.message("M", field))
      #expect(pool.message("p.M")?[1]?.cardinality == .repeated)
      _ = ProtoText.text(of: .message(try #require(pool.message("p.M"))), in: pool)
    }
  }

  @Test func enumWithoutValuesIsUsable() throws {
    let file = Tests.file(
      "a.proto", messages: [Tests.message("M", Tests.field("e", 1, .enum, of: "E"))],
      enums: [EnumDescriptorProto(name: "E")])
    let pool = try DescriptorPool([file])
    let type = try #require(pool.message("p.M"))
    let message = DynamicMessage(type, in: pool)
    #expect(
      try message.jsonUTF8Bytes(options: DynamicJSONOptions(emitsDefaults: true))
        == Array(#"{"e":0}"#.utf8))
  }

  @Test func recursiveTypesAreUsable() throws {
    var group = Tests.field("g", 1, .group, of: ".p.M")
    group.label = .required
    let pool = try Self.pool(Tests.message("M", group))
    let type = try #require(pool.message("p.M"))
    #expect(DynamicMessage(type, in: pool).missingRequiredField == ".g")
    #expect(ProtoText.text(of: .message(type), in: pool).contains("required group"))
    let deep = [UInt8](repeating: 0x0B, count: 100_000)
    var unknown = 0
    #expect(throws: DecodingError.self) {
      try DynamicMessage(serializedBytes: deep, as: type, in: pool, unknownFieldCount: &unknown)
    }
  }
}
