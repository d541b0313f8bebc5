// Locates an error. Reading and writing keep no path: after an error it is derived from the text so
// far, by the objects and arrays that are still open.

/// The open objects and arrays at the end of a prefix of JSON text.
struct JSONPath {
  private enum Level {
    /// Names are without quotes, with escapes unresolved.
    case object(name: Range<Int>?)
    case array(index: Int)
  }

  private let text: [UInt8]
  private var levels: [Level] = []

  init(_ text: [UInt8]) {
    self.text = text
    var scanner = JSONScanner(text)
    while let token = scanner.next() {
      switch token {
      case .beginObject: levels.append(.object(name: nil))
      case .beginArray: levels.append(.array(index: 0))
      case .endObject, .endArray: _ = levels.popLast()
      case .comma: beginNext()
      case .string:
        guard case .object(name: nil)? = levels.last else { break }
        let name = scanner.range.lowerBound + 1..<scanner.range.upperBound - 1
        levels[levels.count - 1] = .object(name: name)
      case .colon, .word: break
      }
    }
  }

  private mutating func beginNext() {
    switch levels.popLast() {
    case .object: levels.append(.object(name: nil))
    case .array(let index): levels.append(.array(index: index + 1))
    case nil: break
    }
  }

  /// The offset of the quote before the last name of the innermost object; nil outside of an object.
  var nameStart: Int? {
    if case .object(let name?)? = levels.last { name.lowerBound - 1 } else { nil }
  }

  /// The message type, then the fields by their .proto names: `Trip.route[3].latitude`,
  /// `Shop.products["pen"].price`. In the middle of a long path, steps are left out.
  func description(in root: any PathType) -> String {
    root.shortName + steps(in: root).joined()
  }

  /// The same without the message type, with the names as written: `"calls[0].requestBytes"`.
  var names: String { String(steps(in: nil).joined().drop { $0 == "." }) }

  /// - Parameter root: the message; nil if its fields are unknown.
  private func steps(in root: (any PathType)?) -> [String] {
    var parts: [String] = []
    var type = root
    var isMap = false
    for level in levels {
      switch level {
      case .array(let index): parts.append("[\(index)]")
      case .object(name: nil): break
      case .object(let range?):
        let name = String(decoding: text[range], as: UTF8.self)
        if isMap || type?.isFreeform == true {
          parts.append("[\(name.quotedForDisplay)]")
          isMap = false
        } else if let field = type?.field(json: text[range]) {
          parts.append(field.step)
          type = field.type
          isMap = field.cardinality == .map
        } else {
          // Unknown, or in a google.protobuf.Any.
          parts.append(".\(name.forDisplay)")
          type = nil
        }
      }
    }
    if parts.count > 20 { parts.replaceSubrange(8..<(parts.count - 8), with: ["…"]) }
    return parts
  }
}

extension String {
  /// Input text for an error message, at most 100 characters and without control characters.
  package var forDisplay: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: continue
      default: result.append(scalar)
      }
      if result.count > 100 { return String(result.dropLast()) + "…" }
    }
    return String(result)
  }

  package var quotedForDisplay: String { "\"\(forDisplay)\"" }
}
