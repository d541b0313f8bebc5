import TestSupport

/// An article of the documentation that is made from tables of the command.
struct GeneratedArticle {
  /// The name of its file, without `.md`.
  let name: String
  let text: String

  var path: String { repositoryPath("Sources/Tripwire/Tripwire.docc/Command/\(name).md") }

  static var all: [GeneratedArticle] { [exitCodes, Troubleshooting.article] }

  /// Returns a table in Markdown.
  static func table(_ head: [String], _ rows: [[String]]) -> String {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    return line(head) + "|" + head.map { _ in "---|" }.joined() + "\n"
      + rows.map(line).joined()
  }
}
