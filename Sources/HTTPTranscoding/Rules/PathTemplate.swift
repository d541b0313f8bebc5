/// The path template of an HTTP rule, such as `/v1/{name=providers/*/trips/*}:cancel` (google/api/http.proto).
struct PathTemplate: Sendable, Equatable {
  enum Segment: Sendable, Equatable {
    case literal(String)
    /// `*`, one segment.
    case any
    /// `**`, zero or more segments; at most once in a template.
    case rest
  }

  struct Variable: Sendable, Equatable {
    /// The path of its field: `task.name`.
    let field: String
    let segments: Range<Int>
  }

  private(set) var segments: [Segment] = []
  private(set) var variables: [Variable] = []
  private(set) var verb: String?

  /// Returns nil if the template is invalid.
  init?(_ template: String) {
    guard template.hasPrefix("/") else { return nil }
    var rest = template.dropFirst()
    if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("/"),
      !rest[colon...].contains("}")
    {
      verb = String(rest[rest.index(after: colon)...])
      rest = rest[..<colon]
    }
    while true {
      guard addPart(of: &rest) else { return nil }
      if rest.isEmpty { break }
      guard rest.removeFirst() == "/" else { return nil }
    }
    guard segments.count(where: { $0 == .rest }) < 2, verb != "" else { return nil }
  }

  /// Adds a segment or a variable.
  private mutating func addPart(of rest: inout Substring) -> Bool {
    guard rest.first == "{" else {
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      defer { rest = rest[end...] }
      return add(rest[..<end])
    }
    guard let end = rest.firstIndex(of: "}") else { return false }
    let parts = rest[..<end].dropFirst().split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    rest = rest[end...].dropFirst()
    let start = segments.count
    let pattern = parts.count > 1 ? parts[1] : "*"
    for segment in pattern.split(separator: "/", omittingEmptySubsequences: false) {
      guard add(segment) else { return false }
    }
    variables.append(Variable(field: String(parts[0]), segments: start..<segments.count))
    return !parts[0].isEmpty
  }

  private mutating func add(_ segment: Substring) -> Bool {
    switch segment {
    case "*": segments.append(.any)
    case "**": segments.append(.rest)
    default: segments.append(.literal(String(segment)))
    }
    return !segment.isEmpty && (segment.count < 3 || !segment.contains("*"))
      && !segment.contains("{") && !segment.contains("}")
  }

  /// The number of literals: of several templates that match, that with the most applies.
  var literals: Int { segments.count { $0 != .any && $0 != .rest } }

  /// Returns the values of the variables, decoded; nil if the path does not match.
  ///
  /// - Parameter path: percent-encoded, and valid.
  func values(in path: String) -> [(field: String, value: String)]? {
    guard path.hasPrefix("/") else { return nil }
    var parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    if let verb {
      guard let last = parts.popLast(), last.hasSuffix(":\(verb)") else { return nil }
      parts.append(last.dropLast(verb.count + 1))
    }
    guard let ranges = ranges(of: parts) else { return nil }
    return variables.map { variable in
      let start = ranges[variable.segments.lowerBound].lowerBound
      let end = ranges[variable.segments.upperBound - 1].upperBound
      // A slash inside a segment is not one between segments.
      let keepsSlashes = segments[variable.segments] != [.any]
      let value = parts[start..<end].map { part in
        part.percentDecoded(keepsSlashes: keepsSlashes) ?? ""
      }
      return (variable.field, value.joined(separator: "/"))
    }
  }

  /// Returns the parts that each segment matches; nil if the path does not match.
  private func ranges(of parts: [Substring]) -> [Range<Int>]? {
    let extra = parts.count - segments.count
    guard segments.contains(.rest) ? extra >= -1 : extra == 0 else { return nil }
    var ranges: [Range<Int>] = []
    var index = 0
    for segment in segments {
      let start = index
      switch segment {
      case .literal(let literal):
        guard parts[index].percentDecoded() == literal else { return nil }
        index += 1
      case .any:
        guard !parts[index].isEmpty else { return nil }
        index += 1
      case .rest: index += extra + 1
      }
      ranges.append(start..<index)
    }
    return ranges
  }
}
