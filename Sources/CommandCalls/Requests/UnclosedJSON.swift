/// The open strings, objects and arrays of truncated JSON.
struct UnclosedJSON: Equatable {
  private enum Kind: String {
    case object = "{"
    case array = "["
    case string = "string"
  }

  /// The innermost open value.
  private let kind: Kind
  private let line: Int
  private let column: Int
  /// The text that closes all of them; nil if that is more than a typing mistake.
  let closing: String?

  /// Nil if nothing is open.
  ///
  /// - Parameters:
  ///   - text: the start of a value.
  ///   - line: the line in which it starts, from 1.
  ///   - column: its offset in that line in bytes, from 1.
  init?(_ text: [UInt8], line: Int, column: Int) {
    var open: [(kind: Kind, line: Int, column: Int)] = []
    var isEscaped = false
    var (line, column) = (line, column)
    for byte in text {
      if open.last?.kind == .string {
        switch byte {
        case _ where isEscaped: isEscaped = false
        case UInt8(ascii: "\\"): isEscaped = true
        case UInt8(ascii: "\""): open.removeLast()
        default: break
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): open.append((.string, line, column))
        case UInt8(ascii: "{"): open.append((.object, line, column))
        case UInt8(ascii: "["): open.append((.array, line, column))
        case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
        default: break
        }
      }
      column += 1
      if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 1) }
    }
    guard let innermost = open.last else { return nil }
    kind = innermost.kind
    self.line = innermost.line
    self.column = innermost.column
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
  var description: String { "the \(kind.rawValue) at \(line):\(column) is not closed" }
}
