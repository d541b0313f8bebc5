import WireProtobuf

/// A filter of resources as in https://google.aip.dev/160: comparisons of fields with AND, OR, NOT and
/// parentheses. As in the AIP, OR binds more tightly than AND.
struct ResourceFilter {
  /// The value of a field of a resource.
  enum Value: Equatable {
    case text(String)
    case time(Timestamp)
  }

  private indirect enum Expression {
    case all([Expression])
    case any([Expression])
    case not(Expression)
    /// Whether the field has a value.
    case presence(String)
    case comparison(String, Comparison, Value)

    func matches(_ value: (String) -> Value?) -> Bool {
      switch self {
      case .all(let parts): parts.allSatisfy { $0.matches(value) }
      case .any(let parts): parts.contains { $0.matches(value) }
      case .not(let part): !part.matches(value)
      case .presence(let field): value(field) != nil
      case .comparison(let field, let comparison, let wanted):
        value(field).map { comparison.holds($0, wanted) } ?? (comparison == .notEqual)
      }
    }
  }

  private enum Comparison: String {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    func holds(_ a: Value, _ b: Value) -> Bool {
      switch (self, a, b) {
      case (.equal, _, _): a == b
      case (.notEqual, _, _): a != b
      case (.less, .time(let a), .time(let b)): a < b
      case (.lessOrEqual, .time(let a), .time(let b)): a <= b
      case (.greater, .time(let a), .time(let b)): a > b
      case (.greaterOrEqual, .time(let a), .time(let b)): a >= b
      default: false
      }
    }
  }

  private let expression: Expression

  /// - Parameters:
  ///   - fields: the fields besides `attributes.KEY`, whose values are text.
  ///   - times: the fields whose values are times, which also permit < and >.
  /// - Throws: INVALID_ARGUMENT for `filter`.
  init(_ text: String, fields: Set<String> = [], times: Set<String> = []) throws(EngineError) {
    var parser = Parser(try FilterToken.all(in: text), fields: fields, times: times)
    expression = try parser.expression()
  }

  /// - Parameter value: returns the value of a field; nil if the resource has none.
  func matches(_ value: (String) -> Value?) -> Bool { expression.matches(value) }

  /// Returns whether the filter matches a resource without fields besides its attributes.
  func matches(_ attributes: [some Attribute]) -> Bool {
    matches { Self.attribute($0, of: attributes) }
  }

  /// Returns the value of a field such as `attributes.class`; nil for other fields.
  static func attribute(_ field: String, of attributes: [some Attribute]) -> Value? {
    guard let key = attributeKey(field) else { return nil }
    return attributes.first { $0.key == key }.map { .text($0.text) }
  }

  /// The key in `attributes.KEY`; nil for other fields.
  private static func attributeKey(_ field: String) -> Substring? {
    let prefix = "attributes."
    let key = field.dropFirst(prefix.count)
    return field.hasPrefix(prefix) && !key.isEmpty ? key : nil
  }

  private struct Parser {
    private static let mostRestrictions = 50
    private static let deepest = 50

    private var tokens: ArraySlice<FilterToken>
    private let fields: Set<String>
    private let times: Set<String>
    private var restrictions = 0
    private var depth = 0

    init(_ tokens: [FilterToken], fields: Set<String>, times: Set<String>) {
      self.tokens = tokens[...]
      self.fields = fields.union(times)
      self.times = times
    }

    mutating func expression() throws(EngineError) -> Expression {
      guard !tokens.isEmpty else { return .all([]) }
      let expression = try all()
      if let rest = tokens.first {
        throw .filter("has an unexpected \(rest.text.quotedForDisplay)")
      }
      return expression
    }

    private mutating func all() throws(EngineError) -> Expression {
      var parts = [try any()]
      while let next = tokens.first, next != .sign(")") {
        _ = take(.word("AND"))
        parts.append(try any())
      }
      return .all(parts)
    }

    private mutating func any() throws(EngineError) -> Expression {
      var parts = [try one()]
      while take(.word("OR")) { parts.append(try one()) }
      return .any(parts)
    }

    private mutating func one() throws(EngineError) -> Expression {
      depth += 1
      defer { depth -= 1 }
      guard depth <= Self.deepest else { throw .filter("is nested too deeply") }
      if take(.word("NOT")) { return .not(try one()) }
      guard take(.sign("(")) else { return try restriction() }
      let inner = try all()
      guard take(.sign(")")) else { throw .filter("lacks a closing parenthesis") }
      return inner
    }

    private mutating func restriction() throws(EngineError) -> Expression {
      restrictions += 1
      guard restrictions <= Self.mostRestrictions else {
        throw .filter("has more than \(Self.mostRestrictions) restrictions")
      }
      guard tokens.count >= 3 else { throw .filter("is incomplete") }
      let (name, sign, value) = (
        tokens.removeFirst(), tokens.removeFirst(), tokens.removeFirst()
      )
      guard case .word(let field) = name,
        fields.contains(field) || ResourceFilter.attributeKey(field) != nil
      else { throw .filter("cannot use the field \(name.text.quotedForDisplay)") }
      if sign == .sign(":"), value == .word("*") { return .presence(field) }
      guard case .sign(let text) = sign, let comparison = Comparison(rawValue: text),
        value.isValue
      else { throw .filter("has an invalid comparison of \(field)") }
      guard times.contains(field) else {
        guard [.equal, .notEqual].contains(comparison) else {
          throw .filter("cannot compare \(field) with \(text)")
        }
        return .comparison(field, comparison, .text(value.text))
      }
      guard let time = try? Timestamp(jsonString: "\"\(value.text)\"") else {
        throw .filter("has an invalid time \(value.text.quotedForDisplay)")
      }
      return .comparison(field, comparison, .time(time))
    }

    private mutating func take(_ token: FilterToken) -> Bool {
      guard tokens.first == token else { return false }
      tokens.removeFirst()
      return true
    }
  }
}

/// A token of a filter.
enum FilterToken: Equatable {
  case word(String)
  case quoted(String)
  /// A comparison, a colon or a parenthesis.
  case sign(String)

  var text: String {
    switch self {
    case .word(let text), .quoted(let text), .sign(let text): text
    }
  }

  var isValue: Bool { if case .sign = self { false } else { true } }

  static func all(in text: String) throws(EngineError) -> [FilterToken] {
    var tokens: [FilterToken] = []
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "\"" || first == "'" {
        tokens.append(try quoted(&rest))
      } else if let sign = ["<=", ">=", "!=", "=", "<", ">", ":", "(", ")"].first(
        where: { rest.hasPrefix($0) })
      {
        rest.removeFirst(sign.count)
        tokens.append(.sign(sign))
      } else if first == "!" {
        throw .filter("has an unexpected \"!\"")
      } else {
        let word = rest.prefix { !$0.isWhitespace && !"=<>!():\"'".contains($0) }
        rest.removeFirst(word.count)
        tokens.append(.word(String(word)))
      }
    }
    return tokens
  }

  private static func quoted(_ rest: inout Substring) throws(EngineError) -> FilterToken {
    let mark = rest.removeFirst()
    var text = ""
    while let next = rest.popFirst() {
      if next == mark { return .quoted(text) }
      guard next == "\\" else {
        text.append(next)
        continue
      }
      guard let escaped = rest.popFirst() else { break }
      text.append(escaped)
    }
    throw .filter("lacks a closing \(mark)")
  }
}

extension EngineError {
  fileprivate static func filter(_ description: String) -> Self { .invalid("filter", description) }
}
