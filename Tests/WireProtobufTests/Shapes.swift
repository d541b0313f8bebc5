import TestSupport

@testable import WireProtobuf

/// An input of any size whose decoding could take superlinear time or memory.
struct Shape: Sendable, CustomStringConvertible {
  let name: String
  /// Decodes the input; returns false if it needs more memory than allowed.
  let decode: @Sendable ([UInt8]) throws -> Bool
  /// Returns the input with a number of parts.
  let input: @Sendable (Int) -> [UInt8]

  var description: String { name }

  static func binary<M: Message>(
    _ type: M.Type, _ name: String, _ input: @escaping @Sendable (Int) -> [UInt8]
  ) -> Shape {
    Shape(
      name: name,
      decode: { bytes in
        do throws(DecodingError) {
          _ = try M(serializedBytes: bytes)
          return true
        } catch {
          guard error.reason == .tooMuchMemory else { throw error }
          return false
        }
      }, input: input)
  }

  static func binary<M: Message>(_ type: M.Type, _ name: String, repeated part: String) -> Shape {
    let part = hex(part)
    return binary(type, name) { count in Array(repeatElement(part, count: count).joined()) }
  }

  static func json<M: Message>(
    _ type: M.Type, _ name: String, _ opening: String, _ closing: String,
    part: @escaping @Sendable (Int) -> String
  ) -> Shape {
    Shape(
      name: "JSON: \(name)",
      decode: { bytes in
        var options = JSONDecodingOptions()
        options.ignoresUnknownFields = true
        do throws(JSONDecodingError) {
          _ = try M(jsonUTF8Bytes: bytes, options: options)
          return true
        } catch {
          guard error.reason == .tooMuchMemory else { throw error }
          return false
        }
      },
      input: { count in
        var text = Array(opening.utf8)
        for index in 0..<count { text += Array(part(index).utf8) }
        return text + Array(closing.utf8)
      })
  }

  static func list(_ name: String, _ element: String) -> Shape {
    json(ListValue.self, name, "[", "]") { ($0 == 0 ? "" : ",") + element }
  }

  static func varint(_ value: Int) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
  }

  /// A chain of `depth` sub-messages in field 2, inside a field.
  static func chain(_ field: UInt8, _ depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<depth { bytes = [0x12] + varint(bytes.count) + bytes }
    return [field] + varint(bytes.count) + bytes
  }

  static let all: [Shape] = [
    .binary(Repeated.self, "empty sub-messages", repeated: "6A 00"),
    .binary(Repeated.self, "empty leaf messages", repeated: "62 00"),
    .binary(Repeated.self, "empty messages of fixed layout", repeated: "5A 00"),
    .binary(Repeated.self, "empty strings", repeated: "3A 00"),
    .binary(Repeated.self, "empty bytes", repeated: "42 00"),
    .binary(Repeated.self, "bytes of one byte", repeated: "42 01 00"),
    .binary(Repeated.self, "booleans in packs of one", repeated: "32 01 01"),
    .binary(Repeated.self, "doubles in packs of one", repeated: "0A 08 0000000000000000"),
    .binary(Repeated.self, "unpacked enums", repeated: "48 01"),
    .binary(Repeated.self, "packed booleans") { count in
      [0x32] + varint(count) + Array(repeating: 1, count: count)
    },
    .binary(Repeated.self, "packed enums") { count in
      [0x4A] + varint(count) + Array(repeating: 1, count: count)
    },
    .binary(Repeated.self, "elements of two alternating fields", repeated: "6A 00 72 00"),
    .binary(
      Repeated.self, "leaf messages of two alternating fields",
      repeated: "5A 12 09 000000000000F03F 11 0000000000000040 62 00"),
    .binary(Maps.self, "entries with new keys") { count in
      Array((0..<count).map { [0x12] + varint(1 + varint($0).count) + [8] + varint($0) }.joined())
    },
    .binary(Maps.self, "entries of leaf messages with new keys") { count in
      Array((0..<count).map { [0x22] + varint(1 + varint($0).count) + [8] + varint($0) }.joined())
    },
    .binary(Maps.self, "entries with the same key", repeated: "0A 00"),
    .binary(Maps.self, "entries of messages with the same key", repeated: "2A 00"),
    .binary(Scalars.self, "unknown fields", repeated: "A006 05"),
    .binary(Scalars.self, "unknown groups", repeated: "A306 A406"),
    .binary(Repeated.self, "unknown fields of sub-messages", repeated: "6A 03 A006 05"),
    .binary(Repeated.self, "unknown fields of leaf messages", repeated: "62 03 A006 05"),
    .binary(
      Repeated.self, "unknown fields of alternating leaf messages",
      repeated: "62 03 A006 05 5A 03 A006 05"),
    .binary(Optionals.self, "unknown fields of one leaf message", repeated: "32 03 A006 05"),
    .binary(WellKnown.self, "unknown fields of one wrapper", repeated: "62 03 A006 05"),
    .binary(
      Maps.self, "unknown fields of leaf values of one key", repeated: "22 05 12 03 A006 05"),
    .binary(Tree.self, "a sub-message merged in pieces", repeated: "12 02 1A 00"),
    .binary(Tree.self, "a member of a oneof merged in pieces", repeated: "22 02 1A 00"),
    .binary(Tree.self, "pieces of pieces", repeated: "22 06 12 04 22 02 1A 00"),
    .binary(Choices.self, "unknown fields of a member of a oneof", repeated: "1A 03 A006 05"),
    .binary(WellKnown.self, "a struct merged in pieces") { count in
      Array(
        (0..<count).map { index in
          let key = varint(index + 1)
          let entry = [0x0A, UInt8(key.count)] + key.map { $0 & 0x7F }
          return [0x2A] + varint(entry.count + 2) + [0x0A] + varint(entry.count) + entry
        }.joined())
    },
    .binary(WellKnown.self, "a list merged in pieces", repeated: "32 04 32 02 0A 00"),
    .binary(Tree.self, "chains of sub-messages") { count in
      Array(repeatElement(chain(0x1A, 50), count: count / 50 + 1).joined())
    },
    .binary(ListValue.self, "lists in a list", repeated: "0A 02 32 00"),
    .binary(ListValue.self, "structs in a list", repeated: "0A 06 2A 04 0A 02 0A 00"),
    .json(Repeated.self, "empty sub-messages", #"{"scalars":["#, "]}") { $0 == 0 ? "{}" : ",{}" },
    .json(Repeated.self, "empty strings", #"{"strings":["#, "]}") { $0 == 0 ? "\"\"" : ",\"\"" },
    .json(Repeated.self, "numbers", #"{"doubles":["#, "]}") { $0 == 0 ? "1" : ",1" },
    .json(Maps.self, "entries", #"{"names":{"#, "}}") { ($0 == 0 ? "" : ",") + "\"\($0)\":\"\"" },
    .json(Maps.self, "entries of messages", #"{"scalars":{"#, "}}") {
      ($0 == 0 ? "" : ",") + "\"\($0)\":{}"
    },
    .list("numbers in a list", "1"), .list("nulls in a list", "null"),
    .list("structs in a list", "{}"), .list("lists in a list", "[]"),
    .json(Struct.self, "members of a struct", "{", "}") { ($0 == 0 ? "" : ",") + "\"\($0)\":1" },
    .json(Scalars.self, "ignored fields", "{", "}") { ($0 == 0 ? "" : ",") + "\"x\":[]" },
    .json(Scalars.self, "a string of escapes", #"{"string":""#, #""}"#) { _ in #"\u00e9"# },
    .json(Scalars.self, "a long number", #"{"double":0."#, "1}") { _ in "0" },
    .json(Scalars.self, "base64", #"{"bytes":""#, #""}"#) { _ in "AAAA" },
    .json(Scalars.self, "white space", "{", "}") { _ in " " },
    .json(FieldMask.self, "paths", "\"", "\"") { $0 == 0 ? "a" : ",a" },
    .binary(Maps.self, "a key of combining marks") { count in
      let key = Array(("e" + String(repeating: marks, count: count)).utf8)
      let entry = [0x0A] + varint(key.count) + key
      return [0x0A] + varint(entry.count) + entry
    },
    .marks(Maps.self, "a key", #"{"counts":{"e"#, #"":1}}"#),
    .marks(Struct.self, "the name of a member", #"{"e"#, #"":1}"#),
    .marks(Scalars.self, "the name of an enum value", #"{"color":"e"#, #""}"#),
    .marks(
      AnyMessage.self, "a name beside a type",
      #"{"@type":"/google.protobuf.Duration","value":"1s","e"#, #"":1}"#),
    .marks(FieldMask.self, "a path", #""e"#, #"""#),
    Shape(
      name: "marks in a type URL",
      decode: { bytes in
        let url = String(decoding: bytes, as: UTF8.self)
        return TypeRegistry().type(for: url) != nil || AnyMessage(typeUrl: url).holds(Maps.self)
      },
      input: { count in Array(("/e" + String(repeating: marks, count: count)).utf8) }),
  ]

  /// A mark above and a mark below. When Swift hashes or compares strings, it sorts consecutive
  /// marks in quadratic time.
  static let marks = "\u{301}\u{323}"

  static func marks<M: Message>(
    _ type: M.Type, _ name: String, _ opening: String, _ closing: String
  ) -> Shape {
    json(type, "marks in \(name)", opening, closing) { _ in marks }
  }
}
