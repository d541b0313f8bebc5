import ProtobufDescriptors
import Testing
import WireProtobuf

@testable import DynamicProtobuf

/// Covers what interop/dynamic/test_message_sets.py does not show with upb.
@Suite struct MessageSetTests {
  static func set(_ fields: FieldDescriptorProto...) -> DescriptorProto {
    var set = DescriptorPoolTests.message("Set")
    set.field = fields
    set.options = MessageOptions(messageSetWireFormat: true)
    return set
  }

  /// A file in which `p.Note`, with the fields text = 1 and set = 2, extends `p.Set`.
  static func file(
    _ number: Int32 = 1000, _ type: FieldDescriptorProto.TypeEnum = .message,
    _ label: FieldDescriptorProto.Label = .optional, set: DescriptorProto = Self.set()
  ) -> FileDescriptorProto {
    var note = DescriptorPoolTests.message(
      "Note", DescriptorPoolTests.field("text", 1),
      DescriptorPoolTests.field("set", 2, .message, of: ".p.Set"))
    var itself = DescriptorPoolTests.field("itself", number, type, of: ".p.Note")
    itself.label = label
    itself.extendee = ".p.Set"
    note.extension = [itself]
    return DescriptorPoolTests.file("set.proto", messages: [set, note])
  }

  static func decode(_ bytes: [UInt8]) throws -> (DynamicMessage, unknown: Int) {
    let pool = try DescriptorPool([file()])
    let type = try #require(pool.message("p.Set"))
    var count = 0
    let message = try DynamicMessage(
      serializedBytes: bytes, as: type, in: pool, unknownFieldCount: &count)
    return (message, count)
  }

  @Test func jsonBecomesAnItem() throws {
    let pool = try DescriptorPool([Self.file()])
    let message = try DynamicMessage(
      jsonUTF8Bytes: Array(#"{"[p.Note.itself]":{"text":"a"}}"#.utf8),
      as: try #require(pool.message("p.Set")), in: pool)
    #expect(
      message.serializedBytes()
        == [0x0B, 0x10, 0xE8, 0x07, 0x1A, 3, 0x0A, 1, UInt8(ascii: "a"), 0x0C])
  }

  @Test func itemsOfUnknownTypesAreKeptAndCounted() throws {
    let item: [UInt8] = [0x0B, 0x10, 7, 0x1A, 2, 0, 1, 0x0C]
    let (message, count) = try Self.decode(item + item)
    #expect(message.serializedBytes() == item + item)
    #expect(count == 2)
  }

  @Test func unknownItemsCountTowardTheMemoryLimit() throws {
    let pool = try DescriptorPool([Self.file()])
    let item: [UInt8] = [0x0B, 0x10, 7, 0x1A, 0, 0x0C]
    let items = [[UInt8]](repeating: item, count: 100_000).flatMap(\.self)
    var count = 0
    let error = #expect(throws: DecodingError.self) {
      try DynamicMessage(
        serializedBytes: items, as: try #require(pool.message("p.Set")), in: pool,
        options: DecodingOptions(memoryFactor: 1), unknownFieldCount: &count)
    }
    #expect(error?.reason == .tooMuchMemory)
  }

  @Test func extensionNumbersMayExceedTheFieldLimit() throws {
    #expect(throws: Never.self) { try DescriptorPool([Self.file(2_147_483_646)]) }
    #expect(
      DescriptorPoolTests.error(Self.file(.max))
        == "set.proto: p.Note.itself has the invalid number 2147483647")
    var plain = Self.file(536_870_912)
    plain.messageType[0].options = nil
    #expect(
      DescriptorPoolTests.error(plain)
        == "set.proto: p.Note.itself has the invalid number 536870912")
  }

  @Test func onlyOptionalMessagesExtendASet() {
    let reason =
      "set.proto: p.Note.itself extends a message set and must be an optional message"
    #expect(DescriptorPoolTests.error(Self.file(1000, .message, .repeated)) == reason)
    #expect(DescriptorPoolTests.error(Self.file(1000, .group)) == reason)
    #expect(DescriptorPoolTests.error(Self.file(1000, .bytes)) == reason)
    let fields = Self.set(DescriptorPoolTests.field("text", 5))
    #expect(
      DescriptorPoolTests.error(Self.file(set: fields))
        == "set.proto: p.Set is a message set and must not have fields")
  }

  @Test func extensionRangesEndAtMax() throws {
    var set = Self.set()
    set.extensionRange = [
      .init(start: 4, end: 1_000_000_000), .init(start: 2_000_000_000, end: .max),
    ]
    let pool = try DescriptorPool([Self.file(set: set)])
    let text = ProtoText.text(of: try #require(pool["p.Set"]), in: pool)
    #expect(text.split(separator: "\n").contains("  extensions 4 to 999999999;"))
    #expect(text.split(separator: "\n").contains("  extensions 2000000000 to max;"))
  }
}
