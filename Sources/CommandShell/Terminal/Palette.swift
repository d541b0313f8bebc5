/// The colors of text for people, or none.
package struct Palette: Sendable {
  /// The choices of `--color`.
  enum Choice: Sendable {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb.
    case auto
    case always
    case never
  }

  package enum Color: String, Sendable {
    case error = "31"
    case warning = "33"
    case hint = "36"
  }

  private static let start = "\u{1b}["
  private static let end = "\u{1b}[0m"

  let isColored: Bool

  init(_ choice: Choice, isTerminal: Bool, environment: (String) -> String?) {
    isColored =
      switch choice {
      case .always: true
      case .never: false
      case .auto:
        isTerminal && (environment("NO_COLOR") ?? "").isEmpty
          && !["", "dumb"].contains(environment("TERM") ?? "")
      }
  }

  /// Returns a text without line ends in a color.
  package func painted(_ text: String, _ color: Color) -> String {
    isColored ? "\(Self.start)\(color.rawValue)m\(text)\(Self.end)" : text
  }

  /// Changes the text of a line, but not its color.
  static func changing(_ line: String, _ change: (String) -> String) -> String {
    guard line.hasPrefix(start), line.hasSuffix(end), let cut = line.firstIndex(of: "m") else {
      return change(line)
    }
    let text = line[line.index(after: cut)...].dropLast(end.count)
    return line[...cut] + change(String(text)) + end
  }
}
