import WireProtobuf

/// The open strings, objects and arrays of truncated JSON.
struct UnclosedJSON {
  private enum Kind: String {
    case object = "{"
    case array = "["
    case string = "string"
  }

  /// The innermost open value.
  private let kind: Kind
  private let position: TextPosition
  /// The text that closes all of them; nil if that is more than a typing mistake.
  let closing: String?

  /// Nil if nothing is open.
  init?(_ value: JSONValues.Value) {
    var scanner = JSONScanner(value.text)
    var open: [(kind: Kind, start: Int)] = []
    while let token = scanner.next() {
      switch token {
      case .beginObject: open.append((.object, scanner.range.lowerBound))
      case .beginArray: open.append((.array, scanner.range.lowerBound))
      case .endObject, .endArray: _ = open.popLast()
      case .comma, .colon, .string, .word: break
      }
    }
    if scanner.isInString { open.append((.string, scanner.range.lowerBound)) }
    guard let innermost = open.last else { return nil }
    kind = innermost.kind
    position = TextPosition(after: value.text[..<innermost.start], from: value.position)
    closing =
      open.count > 16
      ? nil
      : open.reversed().map { entry in
        switch entry.kind {
        case .object: "}"
        case .array: "]"
        case .string: "\""
        }
      }.joined()
  }
}

extension UnclosedJSON: CustomStringConvertible {
  /// "the { at 1:7 is not closed".
  var description: String { "the \(kind.rawValue) at \(position) is not closed" }
}
