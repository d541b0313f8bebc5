/// The words of a command line that no shell runs, as Python's shlex splits it.
enum ShellWords {
  /// Returns the words; nil if a quote has no end.
  static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""):
        guard let next = rest.popFirst() else { return nil }
        // In double quotes, only these two are escaped.
        let isKept = quote == nil || next == "\"" || next == "\\"
        word = (word ?? "") + (isKept ? "" : "\\") + String(next)
      case (let end, let open?) where end == open: quote = nil
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case (_, nil) where character.isWhitespace:
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    return words + (word.map { [$0] } ?? [])
  }
}
