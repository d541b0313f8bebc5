package import WireProtobuf

extension Parse {
  /// Parses `NAME=VALUE`, where VALUE is JSON or else a string.
  ///
  /// - Parameters:
  ///   - option: for hints.
  ///   - form: the expected form, with an example.
  package static func namedValue(
    _ text: String, of option: String, form: String
  ) throws(InvalidValue) -> (name: String, text: String, value: Value) {
    // A grapheme may join the "=" and a combining character.
    let parts = text.unicodeScalars.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false
    ).map { String($0) }
    guard parts.count == 2 else {
      throw InvalidValue("expected \(form)", correction: assignment(correcting: text))
    }
    let tooLarge = InvalidValue(
      "the number is too large", hint: quoting(parts[0], parts[1], of: option))
    let value: Value
    do throws(JSONDecodingError) {
      value = try Value(jsonString: parts[1])
    } catch {
      if case .numberOutOfRange = error.reason { throw tooLarge }
      value = "\(parts[1])"
    }
    // Above 2^53 a double cannot hold every integer.
    if case .numberValue(let number)? = value.kind, number.magnitude > 0x1p53 { throw tooLarge }
    return (parts[0], parts[1], value)
  }

  /// Returns the path before the first `=`; nil if the argument has none.
  package static func path(in argument: String) -> String? {
    // A grapheme may join the "=" and a combining character.
    let path = argument.unicodeScalars.prefix { $0 != "=" }
    let isPath = path.allSatisfy { ("0"..."z").contains($0) || $0 == "." }
    return path.endIndex < argument.endIndex && !path.isEmpty && isPath ? String(path) : nil
  }

  /// Returns the argument `id=1` for `id:1`; nil for other words.
  package static func assignment(correcting word: String) -> String? {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let argument = parts.joined(separator: "=")
    return parts.count == 2 && path(in: argument) != nil ? argument : nil
  }

  /// Returns the hint for a value that has to be a string.
  package static func quoting(_ name: String, _ value: String, of option: String) -> String {
    "quote it: \(option) '\(name)=\"\(value)\"'"
  }
}
