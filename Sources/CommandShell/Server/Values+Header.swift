import CommandLine
import WireGRPC

extension Parse {
  /// Parses `name: value`, in base64 (padded or not) if the name ends in `-bin`. The value may be a
  /// credential, so no error repeats it.
  static func header(_ text: String) throws(InvalidValue) -> Metadata {
    guard let colon = text.unicodeScalars.firstIndex(of: ":"), colon != text.startIndex else {
      let isReserved = text.dropFirst().contains(":")
      throw InvalidValue(
        isReserved ? "header names that start with ':' are reserved" : "expected 'NAME: VALUE'",
        mayBeShown: false)
    }
    let name = text[..<colon].lowercased()
    func invalid(_ reason: String) -> InvalidValue {
      var error = InvalidValue(reason, mayBeShown: false)
      error.shownPart = "'\(escaped(name)): …'"
      return error
    }
    let value = Metadata.Value(trimmed(text.unicodeScalars[colon...].dropFirst()), of: name)
    guard let value else { throw invalid("expected base64 after the colon") }
    var metadata = Metadata()
    do throws(MetadataError) {
      try metadata.append(name, value)
    } catch {
      throw invalid(escaped(error.reason))
    }
    return metadata
  }

  private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}

extension Metadata.Value {
  /// Nil if the name ends in `-bin` and the text is not base64.
  fileprivate init?(_ text: String, of name: String) {
    guard name.hasSuffix("-bin") else {
      self = .text(text)
      return
    }
    guard let bytes = Base64.decode(text) else { return nil }
    self = .binary(bytes)
  }
}
