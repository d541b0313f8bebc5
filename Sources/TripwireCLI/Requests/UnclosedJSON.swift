/// What JSON that ends too early leaves open.
struct UnclosedJSON: Equatable {
  private enum Opener: String {
    case object = "{"
    case array = "["
    case string = "string"
  }

  /// The innermost of what is open.
  private let opener: Opener
  private let line: Int
  private let column: Int
  /// What closes all that is open; nil when that is more than anybody forgets.
  let closing: String?

  /// Nil when nothing is open.
  ///
  /// - Parameters:
  ///   - text: what there is of a value.
  ///   - line: where that begins, from 1.
  ///   - column: in bytes of the line, from 1.
  init?(_ text: [UInt8], line: Int, column: Int) {
    var open: [(opener: Opener, line: Int, column: Int)] = []
    var isEscaped = false
    var (line, column) = (line, column)
    for byte in text {
      if open.last?.opener == .string {
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
    opener = innermost.opener
    self.line = innermost.line
    self.column = innermost.column
    closing =
      open.count > 16
      ? nil
      : open.reversed().map { entry in
        switch entry.opener {
        case .object: "}"
        case .array: "]"
        case .string: "\""
        }
      }.joined()
  }
}

extension UnclosedJSON: CustomStringConvertible {
  /// "the { at 1:7 is not closed".
  var description: String { "the \(opener.rawValue) at \(line):\(column) is not closed" }
}
