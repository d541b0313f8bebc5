import ProtobufDescriptors
import Testing
import WireProtobuf

@testable import DynamicProtobuf

/// Covers what the conformance suite and upb do not: see interop/conformance and interop/dynamic.
@Suite struct DynamicMessageTests {
  /// A message of itself, text and a number.
  static func tree() throws -> (MessageDescriptor, DescriptorPool) {
    var other = DescriptorPoolTests.field("others", 3, .message, of: ".p.Tree")
    other.label = .repeated
    let tree = DescriptorPoolTests.message(
      "Tree", DescriptorPoolTests.field("name", 1),
      DescriptorPoolTests.field("child", 2, .message, of: ".p.Tree"), other,
      DescriptorPoolTests.field("any", 4, .message, of: ".google.protobuf.Any"))
    let any = DescriptorPoolTests.message(
      "Any", DescriptorPoolTests.field("type_url", 1), DescriptorPoolTests.field("value", 2, .bytes)
    )
    let pool = try DescriptorPool([
      DescriptorPoolTests.file("any.proto", package: "google.protobuf", messages: [any]),
      DescriptorPoolTests.file("tree.proto", messages: [tree]),
    ])
    return (try #require(pool.message("p.Tree")), pool)
  }

  static func json(_ text: String) throws -> DynamicMessage {
    let (type, pool) = try tree()
    return try DynamicMessage(jsonUTF8Bytes: Array(text.utf8), as: type, in: pool)
  }

  static func text(
    _ message: DynamicMessage, _ options: DynamicJSONOptions = DynamicJSONOptions()
  ) throws -> String {
    String(decoding: try message.jsonUTF8Bytes(options: options), as: UTF8.self)
  }

  @Test func writesDefaultsOnRequest() throws {
    let message = try Self.json(#"{"child":{}}"#)
    let options = DynamicJSONOptions(emitsDefaults: true)
    #expect(
      try Self.text(message, options) == #"{"name":"","child":{"name":"","others":[]},"others":[]}"#
    )
  }

  @Test func writesAnyOfUnknownTypesOnRequest() throws {
    let (type, pool) = try Self.tree()
    // any: type_url "x/not.There", value 07
    let bytes: [UInt8] = [0x22, 16, 0x0A, 11] + Array("x/not.There".utf8) + [0x12, 1, 7]
    var count = 0
    let message = try DynamicMessage(
      serializedBytes: bytes, as: type, in: pool, unknownFieldCount: &count)
    #expect(throws: JSONEncodingError.self) { try Self.text(message) }
    #expect(
      try Self.text(message, DynamicJSONOptions(showsUnknownTypes: true))
        == #"{"any":{"@type":"x/not.There","@value":"Bw=="}}"#)
  }

  @Test func mappingChangesEachValue() throws {
    var message = try Self.json(#"{"name":"a","child":{"name":"b"},"others":[{"name":"c"},{}]}"#)
    message.unknownFields = [0x78, 1]
    let copy = message.mapping { _, value in
      switch value {
      case .string(let text): return .string(text + "!")
      case .message(let inner) where !inner.setFields.isEmpty:
        return .message(inner.mapping { _, _ in .string("inner") })
      default: return nil
      }
    }
    #expect(
      try Self.text(copy)
        == #"{"name":"a!","child":{"name":"inner"},"others":[{"name":"inner"}]}"#)
    #expect(copy.unknownFields.isEmpty)
  }

  @Test(
    arguments: [
      (.bool, #"1:7: A.m["TRUE"]: expected the key true or false"#),
      (.int32, #"1:7: A.m["TRUE"]: expected an integer key in the range of its type"#),
    ] as [(FieldDescriptorProto.TypeEnum, String)])
  func rejectsInvalidMapKeys(kind: FieldDescriptorProto.TypeEnum, description: String) throws {
    var entry = DescriptorPoolTests.message(
      "MEntry", DescriptorPoolTests.field("key", 1, kind), DescriptorPoolTests.field("value", 2))
    entry.options = MessageOptions(mapEntry: true)
    var map = DescriptorPoolTests.field("m", 1, .message, of: ".p.A.MEntry")
    map.label = .repeated
    var message = DescriptorPoolTests.message("A", map)
    message.nestedType = [entry]
    let pool = try DescriptorPool([DescriptorPoolTests.file("a.proto", messages: [message])])
    let type = try #require(pool.message("p.A"))
    let error = #expect(throws: JSONDecodingError.self) {
      try DynamicMessage(jsonUTF8Bytes: Array(#"{"m":{"TRUE":""}}"#.utf8), as: type, in: pool)
    }
    #expect(error?.description == description)
  }

  @Test func limitsDepthAndMemory() throws {
    let (type, pool) = try Self.tree()
    var nested: [UInt8] = []
    for _ in 0..<101 {
      nested = [0x12] + length(nested.count) + nested
    }
    var count = 0
    #expect(throws: DecodingError.self) {
      try DynamicMessage(serializedBytes: nested, as: type, in: pool, unknownFieldCount: &count)
    }
    let deep =
      String(repeating: #"{"child":"#, count: 101) + "{}" + String(repeating: "}", count: 101)
    #expect(throws: JSONDecodingError.self) { try Self.json(deep) }
    // Two bytes for each of very many empty messages.
    let many = [UInt8](repeating: 0, count: 2 << 20).enumerated().map {
      $0.offset % 2 == 0 ? 0x1A : 0
    }
    #expect(throws: Never.self) {
      try DynamicMessage(
        serializedBytes: many.map(UInt8.init), as: type, in: pool, unknownFieldCount: &count)
    }
    #expect(throws: DecodingError.self) {
      try DynamicMessage(
        serializedBytes: many.map(UInt8.init), as: type, in: pool,
        options: DecodingOptions(memoryFactor: 4), unknownFieldCount: &count)
    }
  }

  @Test func countsAndKeepsUnknownFields() throws {
    let (type, pool) = try Self.tree()
    let bytes: [UInt8] = [0x12, 3, 0x98, 0x06, 1, 0xA0, 0x06, 2]
    var count = 0
    let message = try DynamicMessage(
      serializedBytes: bytes, as: type, in: pool, unknownFieldCount: &count)
    #expect(count == 2)
    #expect(message.serializedBytes() == bytes)
  }

  @Test func findsMissingRequiredFields() throws {
    var must = DescriptorPoolTests.field("must", 1)
    must.label = .required
    var others = DescriptorPoolTests.field("others", 2, .message, of: ".p.Needy")
    others.label = .repeated
    let pool = try DescriptorPool([
      DescriptorPoolTests.file(
        "a.proto", messages: [DescriptorPoolTests.message("Needy", must, others)])
    ])
    let type = try #require(pool.message("p.Needy"))
    func missing(_ json: String) throws -> String? {
      try DynamicMessage(jsonUTF8Bytes: Array(json.utf8), as: type, in: pool).missingRequiredField
    }
    #expect(try missing("{}") == ".must")
    #expect(try missing(#"{"must":"","others":[{"must":"a"},{}]}"#) == ".others[1].must")
    #expect(try missing(#"{"must":"","others":[{"must":"a"}]}"#) == nil)
  }

  private func length(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(messageOf: 0) { writer in writer.put(varint: UInt64(count)) }
    return bytes
  }
}
