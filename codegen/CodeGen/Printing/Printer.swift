/// Collects lines of Swift at the current indentation.
struct Printer {
  private(set) var text = ""
  private var indentation = ""
  let access: String
  /// Whether `hasName` and `clearName()` are printed.
  let printsPresence: Bool
  /// The keywords before the declaration of a type. In a target whose default is the main actor, only types
  /// with `nonisolated` are free of it.
  var typeAccess: String { indentation.isEmpty ? access + "nonisolated " : access }

  init(access: Options.Access, presence: Bool = false) {
    self.access = access.rawValue + " "
    printsPresence = presence
  }

  mutating func line(_ line: String = "") {
    text += line.isEmpty ? "\n" : indentation + line + "\n"
  }

  /// Prints the opening line, the indented body, and the closing line if there is one.
  mutating func block(
    _ opening: String, _ closing: String? = "}", _ body: (inout Printer) -> Void
  ) {
    line(opening)
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
    if let closing { line(closing) }
  }

  mutating func docs(_ lines: [String]) {
    for text in lines { line(text.isEmpty ? "///" : "/// " + text) }
  }

  /// A call: on one line if it fits 100 columns, else the arguments on the next, else one per line.
  mutating func call(_ opening: String, _ arguments: [String], _ closing: String = ")") {
    let joined = arguments.joined(separator: ", ")
    if fits(opening + joined + closing) {
      line(opening + joined + closing)
    } else if fits("  " + joined + closing) {
      line(opening)
      line("  " + joined + closing)
    } else {
      line(opening)
      for argument in arguments.dropLast() { line("  " + argument + ",") }
      line("  " + (arguments.last ?? "") + closing)
    }
  }

  /// An array: on one line if it fits 100 columns, else one element per line.
  mutating func array(_ opening: String, _ elements: [String]) {
    let joined = opening + "[" + elements.joined(separator: ", ") + "]"
    if fits(joined) { return line(joined) }
    block(opening + "[", "]") { p in
      for element in elements { p.line(element + ",") }
    }
  }

  /// A statement in braces: on one line if it fits 100 columns.
  mutating func braced(_ opening: String, _ statement: String) {
    let joined = "\(opening) { \(statement) }"
    if fits(joined) { return line(joined) }
    block(opening + " {") { $0.line(statement) }
  }

  /// A case of a switch: on one line if it fits 100 columns.
  mutating func switchCase(_ pattern: String, _ statement: String) {
    let joined = "case \(pattern): \(statement)"
    if fits(joined) { return line(joined) }
    line("case \(pattern):")
    line("  " + statement)
  }

  /// The same for a call, whose arguments may have a line of their own.
  mutating func switchCase(_ pattern: String, call opening: String, _ arguments: [String]) {
    let joined = "case \(pattern): \(opening)\(arguments.joined(separator: ", ")))"
    if fits(joined) { return line(joined) }
    block("case \(pattern):", nil) { $0.call(opening, arguments) }
  }

  /// Conditions joined by commas, as many on a line as fit 100 columns.
  mutating func conjunction(_ conditions: [String]) {
    var current = ""
    for condition in conditions {
      let longer = current.isEmpty ? condition : "\(current) && \(condition)"
      if fits(longer) {
        current = longer
      } else {
        line(current)
        current = "  && " + condition
      }
    }
    line(current)
  }

  func fits(_ line: String) -> Bool {
    indentation.count + line.count <= 100
  }

  /// A string literal.
  static func quoted(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case ..<" ", "\u{7F}": literal += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// A number with underscores if it has seven digits or more.
  static func literal(_ number: Int) -> String {
    let digits = String(number.magnitude)
    guard digits.count > 6 else { return "\(number)" }
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { grouped += "_" }
      grouped.append(digit)
    }
    return (number < 0 ? "-" : "") + grouped
  }
}
