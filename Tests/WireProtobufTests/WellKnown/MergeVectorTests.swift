import TestSupport
import Testing

@testable import WireProtobuf

/// Compares merges and masks with those of Python's protobuf.
@Suite struct MergeVectorTests {
  static let types: [String: any Message.Type] = Dictionary(
    uniqueKeysWithValues: ([
      Scalars.self, Repeated.self, Optionals.self, Choices.self, Maps.self, Tree.self,
      WellKnown.self,
    ] as [any Message.Type]).map { ($0.messageName, $0) })

  @Test func mergesLikePython() throws {
    let vectors = try MergeVector.all(in: "merges_everything.txt")
    #expect(Set(vectors.map(\.messageName)) == Set(Self.types.keys))
    for vector in vectors {
      let type = try #require(Self.types[vector.messageName])
      try Self.check(vector, type)
    }
  }

  static func check<M: Message>(_ vector: MergeVector, _ type: M.Type) throws {
    var message = try M(serializedBytes: vector.before)
    let other = try M(serializedBytes: vector.other)
    if let mask = vector.mask {
      try message.merge(
        from: other, fieldMask: FieldMask(mask),
        options: .init(
          replaceMessageFields: vector.replacesMessages,
          replaceRepeatedFields: vector.replacesRepeated))
    } else {
      message.merge(from: other)
    }
    // Compares bytes, because NaN is not equal to itself.
    let expected = try M(serializedBytes: vector.after)
    #expect(message.serializedBytes() == expected.serializedBytes(), "\(vector)")
  }

  /// Merging all differences leaves no difference.
  @Test func mergingChangesMakesMessagesEqual() throws {
    for vector in try MergeVector.all(in: "merges_everything.txt") {
      let type = try #require(Self.types[vector.messageName])
      try Self.checkChanges(vector, type)
    }
  }

  static func checkChanges<M: Message>(_ vector: MergeVector, _ type: M.Type) throws {
    var message = try M(serializedBytes: vector.before)
    var other = try M(serializedBytes: vector.other)
    message.discardUnknownFields()
    other.discardUnknownFields()
    let mask = FieldMask(changesFrom: message, to: other)
    try message.merge(from: other, fieldMask: mask, options: .replace)
    #expect(message.serializedBytes() == other.serializedBytes(), "\(vector)")
    #expect(FieldMask(changesFrom: message, to: other) == FieldMask())
  }

  @Test func masksMatchPython() throws {
    for words in try Payload.words("field_masks.txt") {
      let text = words.map { $0 == "-" ? "" : $0 }
      let result = FieldMask(text[text.count - 1])
      switch words[0] {
      case "canonical": #expect(FieldMask(text[1]).canonical == result)
      case "union": #expect(FieldMask(text[1]).union(FieldMask(text[2])) == result)
      case "intersect": #expect(FieldMask(text[1]).intersect(FieldMask(text[2])) == result)
      case "valid":
        let type = try #require(Self.types[text[1]])
        #expect(Self.isValid(FieldMask(text[2]), type) == (text[3] == "true"), "\(words)")
      default: Issue.record("\(words)")
      }
    }
  }

  static func isValid<M: Message>(_ mask: FieldMask, _ type: M.Type) -> Bool {
    (try? mask.validate(for: type)) != nil
  }
}
