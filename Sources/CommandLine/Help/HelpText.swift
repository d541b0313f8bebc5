/// The reference of one command: the source of its help, its manual page and its completions.
///
/// The options are those that parse the command line.
package struct HelpText: Sendable {
  /// After "usage: ".
  let usage: String
  /// One or a few sentences.
  let about: String
  let examples: [Row]
  /// Sections between the examples and the options.
  let sections: [Section]
  package let options: [OptionDescription]
  let exitCodes: [Row]

  package typealias Row = (term: String, meaning: String)

  /// A heading and its rows, each with a term and its meaning.
  package struct Section: Sendable {
    package let title: String
    package let rows: [Row]

    package init(title: String, rows: [Row]) {
      self.title = title
      self.rows = rows
    }
  }

  /// The title of the section that ``brief(of:)`` contains, too.
  package static let commands = "Commands"

  /// The largest number of columns.
  static let width = 80

  package init<Values>(
    usage: String, about: String, examples: KeyValuePairs<String, String> = [:],
    sections: [Section] = [], options: [Option<Values>], exitCodes: [Row] = []
  ) {
    self.init(
      usage: usage, about: about, examples: examples, sections: sections,
      options: options.map(OptionDescription.init) + [.help], exitCodes: exitCodes)
  }

  /// - Parameter examples: commands and their meanings, before the other sections.
  package init(
    usage: String, about: String, examples: KeyValuePairs<String, String> = [:],
    sections: [Section], options: [OptionDescription] = [], exitCodes: [Row] = []
  ) {
    self.usage = usage
    self.about = about
    self.examples = examples.map { (term: $0.key, meaning: $0.value) }
    self.sections = sections
    self.options = options
    self.exitCodes = exitCodes
  }

  /// Everything: the text of `--help`.
  package var full: String {
    var text = start(about)
    for section in allSections where !section.rows.isEmpty {
      text += "\n\(section.title):\n" + table(section.rows)
    }
    return text
  }

  /// The text of `-h`, at most 40 lines: the first sentence, three examples, the commands, and a line for
  /// each of the options in the brief help.
  ///
  /// - Parameter command: the words that run the command: "tripwire get".
  package func brief(of command: String) -> String {
    var text = start(firstSentence)
    if !examples.isEmpty { text += "\nExamples:\n" + table(Array(examples.prefix(3))) }
    for section in sections where section.title == Self.commands {
      text += "\n\(section.title):\n" + table(section.rows)
    }
    let brief = options.filter(\.isInBriefHelp)
    if !brief.isEmpty {
      text += "\nOptions:\n" + table(brief.map { ($0.term, String($0.firstLine)) })
    }
    let others = options.count - brief.count
    let more =
      switch others {
      case 0: "details"
      case 1: "one more option, and details"
      default: "\(others) more options, and details"
      }
    return text + "\n'\(command) --help' prints \(more).\n"
  }

  private var firstSentence: String {
    let end = about.indices.first { index in
      about[index] == "." && about[about.index(after: index)...].first?.isWhitespace == true
    }
    return String(end.map { about[...$0] } ?? about[...])
  }

  private func start(_ about: String) -> String {
    "usage: \(usage)\n\n" + wrapped(about, width: Self.width).map { $0 + "\n" }.joined()
  }

  /// The examples, the sections before the options, one for each group of options, the environment variables and the
  /// exit codes.
  private var allSections: [Section] {
    [Section(title: "Examples", rows: examples)] + sections
      + OptionGroup.allCases.map { group in
        Section(
          title: group.rawValue,
          rows: options.filter { $0.group == group }.map { ($0.term, $0.help) })
      } + [
        Section(title: "Environment", rows: options.compactMap(\.environment)),
        Section(title: "Exit codes", rows: exitCodes),
      ]
  }

  /// Returns terms on the left and wrapped meanings on the right. A wide term has a line of its own.
  private func table(_ rows: [Row]) -> String {
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

/// Returns the lines of `text`, broken at spaces to at most `width` characters.
package func wrapped(_ text: String, width: Int) -> [String] {
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
