/// The help of one command. Its options are those that parse the command line.
struct HelpText {
  /// After "usage: ".
  let usage: String
  /// One or a few sentences.
  let about: String
  let sections: [Section]

  /// A heading and its rows, each with a term and its meaning.
  struct Section {
    let title: String
    let rows: [(term: String, meaning: String)]
  }

  /// The largest number of columns.
  static let width = 80

  var description: String {
    var text = "usage: \(usage)\n\n"
    for line in wrapped(about, width: Self.width) { text += line + "\n" }
    for section in sections where !section.rows.isEmpty {
      text += "\n\(section.title):\n"
      text += table(section.rows)
    }
    return text
  }

  /// Returns terms on the left and wrapped meanings on the right. A wide term has a line of its own.
  private func table(_ rows: [(term: String, meaning: String)]) -> String {
    let widest = 28
    let column = min(widest, rows.map(\.term.count).max() ?? 0) + 4
    let margin = String(repeating: " ", count: column)
    var text = ""
    for (term, meaning) in rows {
      let first = "  " + term
      var lines = meaning.isEmpty ? [] : wrapped(meaning, width: Self.width - column)
      if first.count + 2 > column || lines.isEmpty {
        text += first + "\n"
      } else {
        text += first + margin.dropFirst(first.count) + lines.removeFirst() + "\n"
      }
      for line in lines { text += margin + line + "\n" }
    }
    return text
  }
}

extension HelpText {
  /// Returns a section for each group of options, and one for the environment variables. `-h` is added to
  /// the common options.
  static func sections<Values>(of options: [Option<Values>]) -> [Section] {
    var sections = OptionGroup.allCases.map { group in
      Section(
        title: group.rawValue,
        rows: options.filter { $0.group == group }.map { ($0.term, $0.help) }
          + (group == .common ? [("-h, --help", "print this help")] : []))
    }
    sections.append(
      Section(
        title: "Environment",
        rows: options.compactMap { option in
          option.environment.map { ($0.name, $0.help) }
        }))
    return sections
  }
}

extension Option {
  /// `-o, --output FORMAT`
  fileprivate var term: String {
    (short.map { "-\($0), " } ?? "") + "--" + long + (argument.map { " " + $0 } ?? "")
  }
}

/// Returns the lines of `text`, broken at spaces to at most `width` characters.
func wrapped(_ text: String, width: Int) -> [String] {
  text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
    var lines: [String] = []
    var line = ""
    for word in paragraph.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }
}
