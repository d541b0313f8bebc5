package import WireProtobuf
import WireSystem

extension Struct {
  /// Reads the object of a credentials file of Google Cloud. A byte order mark is skipped.
  ///
  /// Variables and secret managers change line ends: in strings, where JSON allows none, they become spaces, and so do
  /// those outside of strings that are `\n` of two characters.
  ///
  /// - Parameter origin: the name of the file, for errors.
  /// - Throws: ``TokenError/badKey(origin:reason:)`` with an action, and without any part of the content.
  package init(credentials json: [UInt8], origin: String) throws(TokenError) {
    let json = JSONScanner.withoutByteOrderMark(json)
    if let object = try? Struct(jsonUTF8Bytes: Self.withoutLineEnds(json)) {
      self = object
    } else {
      self = try mapError(Struct(jsonUTF8Bytes: json)) {
        (error: JSONDecodingError) in Self.fault(json, error, origin)
      }
    }
  }

  private static func withoutLineEnds(_ json: [UInt8]) -> [UInt8] {
    var json = json
    var isInString = false
    var index = 0
    while index < json.count {
      switch json[index] {
      case 0x0a, 0x0d: json[index] = 0x20
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\"):
        index += 1
        if !isInString, index < json.count,
          [UInt8(ascii: "n"), UInt8(ascii: "r")].contains(json[index])
        {
          json.replaceSubrange(index - 1...index, with: [0x20, 0x20])
        }
      default: break
      }
      index += 1
    }
    return json
  }

  private static func fault(
    _ bytes: [UInt8], _ error: JSONDecodingError, _ origin: String
  ) -> TokenError {
    if let reason = reasonForOtherContent(bytes, origin) {
      return .badKey(origin: origin, reason: reason)
    }
    return error.reason == .truncated
      ? .badKey(origin: origin, reason: TokenError.Reason("unexpected end of JSON", .wholeKey))
      : .badKey(
        origin: "\(origin):\(error.line):\(error.column)",
        reason: TokenError.Reason("invalid JSON\(details(error.reason))", .unchangedKey))
  }

  /// Returns the reason after a colon, without text of the file; "" if there is none.
  private static func details(_ reason: JSONDecodingError.Reason) -> String {
    switch reason {
    case .duplicateField: ": duplicate member"
    case .expected, .malformedString, .malformedNumber, .numberOutOfRange, .trailingText:
      ": \(reason)"
    default: ""
    }
  }

  /// Returns the reason why bytes are not a JSON object at all, with an action; nil if they begin
  /// with {.
  private static func reasonForOtherContent(
    _ bytes: [UInt8], _ origin: String
  ) -> TokenError.Reason? {
    let text = bytes.trimmingWhitespace()
    if text.isEmpty {
      return origin == LocalFile.name(of: "-") ? .noInput : "the file is empty"
    }
    let brace = UInt8(ascii: "{")
    if [[0xff, 0xfe], [0xfe, 0xff], [brace, 0], [0, brace]].contains(where: {
      text.starts(with: $0)
    }) {
      return TokenError.Reason("encoded in UTF-16", .utf16)
    }
    if text.starts(with: Array("-----BEGIN".utf8)) {
      return TokenError.Reason("a PEM file, not JSON", .jsonKey)
    }
    guard text.first == brace else {
      return TokenError.Reason("not a JSON object", .jsonKey)
    }
    return nil
  }
}
