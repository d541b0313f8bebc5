/// The manual page of a command, in mdoc(7), from the text of its help.
package struct ManualPage {
  package let name: String
  package let summary: String
  package let help: HelpText
  /// The date of the page: "November 23, 2026".
  package let date: String
  /// The names of other pages: "tripwire-get".
  package let related: [String]

  package init(name: String, summary: String, help: HelpText, date: String, related: [String]) {
    self.name = name
    self.summary = summary
    self.help = help
    self.date = date
    self.related = related
  }

  /// `tripwire-token-mint` for the command `token mint`.
  package static func name(of command: String) -> String {
    "tripwire-" + command.split(separator: " ").joined(separator: "-")
  }

  package var text: String {
    var lines = [
      ".Dd \(date)", ".Dt \(name.uppercased()) 1", ".Os",
      ".Sh NAME", ".Nm \(escaped(name))", ".Nd \(escaped(summary))",
      ".Sh SYNOPSIS",
    ]
    lines += synopsis
    lines.append(".Sh DESCRIPTION")
    lines += paragraph(help.about)
    for section in help.sections {
      lines.append(".Sh \(section.title.uppercased())")
      lines += list(section.rows.map { (".It Li \(argument($0.term))", $0.meaning) })
    }
    lines += options + environment
    if !help.exitCodes.isEmpty {
      lines.append(".Sh EXIT STATUS")
      lines += list(help.exitCodes.map { (".It \(escaped($0.term))", $0.meaning) })
    }
    lines += examples
    lines.append(".Sh SEE ALSO")
    for (index, page) in related.enumerated() {
      lines.append(".Xr \(page) 1" + (index == related.count - 1 ? "" : " ,"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Sections

  private var synopsis: [String] {
    let words = help.usage.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return [".Nm tripwire"] + paragraph(String(words.dropFirst("tripwire ".count)))
  }

  private var options: [String] {
    guard !help.options.isEmpty else { return [] }
    var lines = [".Sh OPTIONS"]
    for group in OptionGroup.allCases {
      let members = help.options.filter { $0.group == group }
      guard !members.isEmpty else { continue }
      if group != .common { lines.append(".Ss \(group.rawValue)") }
      lines += list(members.map { (item($0), $0.help) })
    }
    return lines
  }

  private func item(_ option: OptionDescription) -> String {
    let short = option.short.map { "Fl \($0) , " } ?? ""
    let value = option.argument.map { " Ar \(argument($0))" } ?? ""
    return ".It \(short)Fl \\-\(escaped(option.long))\(value)"
  }

  private var environment: [String] {
    let variables = help.options.compactMap(\.environment)
    guard !variables.isEmpty else { return [] }
    return [".Sh ENVIRONMENT"] + list(variables.map { (".It Ev \($0.term)", $0.meaning) })
  }

  private var examples: [String] {
    guard !help.examples.isEmpty else { return [] }
    var lines = [".Sh EXAMPLES"]
    for (index, row) in help.examples.enumerated() {
      if !row.meaning.isEmpty {
        if index > 0 { lines.append(".Pp") }
        lines += paragraph(capitalized(row.meaning) + ":")
      }
      lines += [".Bd -literal -offset indent", escaped(row.term), ".Ed"]
    }
    return lines
  }

  private func list(_ items: [(head: String, body: String)]) -> [String] {
    [".Bl -tag -width Ds"] + items.flatMap { [$0.head] + paragraph(sentences($0.body)) } + [".El"]
  }

  // MARK: Text

  /// The first line of an option's help is a phrase without a period.
  private func sentences(_ help: String) -> String {
    let lines = help.split(separator: "\n", maxSplits: 1)
    guard let first = lines.first else { return "" }
    return capitalized(String(first)) + "." + (lines.count > 1 ? " " + lines[1] : "")
  }

  private func capitalized(_ text: String) -> String {
    guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
    return first.uppercased() + text.dropFirst()
  }

  /// Starts a line for each sentence, as mdoc requires, and breaks lines before 80 bytes.
  private func paragraph(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    func endLine() {
      if !line.isEmpty { lines.append(escaped(line)) }
      line = ""
    }
    for word in text.split(whereSeparator: \.isWhitespace) {
      if escaped(line + " " + word).utf8.count > 79 { endLine() }
      if escaped(String(word)).utf8.count > 79 {
        lines += continued(word)
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
      if word.hasSuffix(".") || word.hasSuffix("?") { endLine() }
    }
    endLine()
    return lines
  }

  /// Breaks a long word after its commas. A backslash joins the lines.
  private func continued(_ word: Substring) -> [String] {
    let parts = word.split(separator: ",").map { escaped(String($0)) }
    return parts.dropLast().map { $0 + ",\\" } + parts.suffix(1)
  }

  /// Escapes the characters that roff interprets. A hyphen becomes a minus sign, so that examples can be copied.
  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'" where result.isEmpty: result += "\\(aq"
      case "." where result.isEmpty: result += "\\&."
      default:
        for scalar in character.unicodeScalars {
          result += scalar.isASCII ? String(scalar) : "\\[u\(hex(scalar))]"
        }
      }
    }
    return result
  }

  /// At least four digits.
  private func hex(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// An argument of a macro, which may contain spaces and quotation marks.
  private func argument(_ text: String) -> String {
    let inner = escaped(
      text.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\u{1}")
    ).split(separator: "\u{1}", omittingEmptySubsequences: false)
      .joined(separator: "\\(dq")
    return inner.contains(" ") ? "\"\(inner)\"" : inner
  }
}
