/// An article of the documentation that is made from tables of the command.
struct GeneratedArticle {
  /// The name of its file, without `.md`.
  let name: String
  let text: String

  /// The hidden command of `make generate`: `tripwire __article` lists the articles, and `tripwire __article
  /// NAME` prints one.
  static let command = "__article"

  static func answer(_ arguments: [String]) -> String {
    guard let name = arguments.first else { return all.map { $0.name + "\n" }.joined() }
    return all.first { $0.name == name }?.text ?? ""
  }

  static var all: [GeneratedArticle] { [exitCodes, Troubleshooting.article] }

  /// Returns a table in Markdown.
  static func table(_ head: [String], _ rows: [[String]]) -> String {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    return line(head) + "|" + head.map { _ in "---|" }.joined() + "\n"
      + rows.map(line).joined()
  }
}
