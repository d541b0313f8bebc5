/// Replaces the words of a text that are neither common in error messages nor the API's own.
extension AnonymousNames {
  private static let marks = "\"'`.,;:!?()[]{}<>"

  /// Returns the text with IDs replaced, and with "*" for each run of words that are not harmless.
  mutating func replace(text: String) -> String {
    guard text.utf8.count <= 1 << 14 else { return "*" }
    var words: [String] = []
    var beginsSentence = true
    var before = ""
    for word in text.split(separator: " ") {
      let replaced =
        Self.isHarmlessNumber(word, behind: before)
        ? String(word) : replace(word: word, beginsSentence)
      // A period after a replaced word may belong to a title: "Dr."
      beginsSentence = replaced != "*" && replaced.last.map(".!?:;".contains) ?? false
      before = replaced
      if replaced != "*" || words.last != "*" { words.append(replaced) }
    }
    return words.joined(separator: " ")
  }

  /// Whether the word is an HTTP status or a byte offset.
  private static func isHarmlessNumber(_ word: Substring, behind before: String) -> Bool {
    let digits = word.utf8.prefix { 0x30...0x39 ~= $0 }.count
    guard 1...6 ~= digits, word.dropFirst(digits).allSatisfy({ ".,;:)".contains($0) }) else {
      return false
    }
    let cause = before.last == ":" ? String(before.dropLast()) : before
    return CommonWords.numbered.contains(cause) && (digits == 3 || cause == "byte")
  }

  private mutating func replace(word: Substring, _ beginsSentence: Bool) -> String {
    let start = word.prefix(while: Self.marks.contains)
    var core = word.dropFirst(start.count)
    var end = ""
    while let last = core.last, Self.marks.contains(last) {
      end = String(last) + end
      core.removeLast()
    }
    if core.isEmpty { return String(start) }
    guard let replaced = replace(core: String(core), beginsSentence) else { return "*" }
    return start + replaced + end
  }

  private mutating func replace(core: String, _ beginsSentence: Bool) -> String? {
    guard core.utf8.count <= 4 * Self.longest else { return nil }
    return replacement(of: core) ?? (isHarmless(core, beginsSentence) ? core : nil)
  }

  private func isHarmless(_ word: String, _ beginsSentence: Bool) -> Bool {
    if terms.contains(word) || CommonWords.kept.contains(word) || isPath(word) { return true }
    let small = word.lowercased()
    let parts = small.split(separator: "_").map(String.init)
    guard !parts.isEmpty, parts.allSatisfy(CommonWords.all.contains) else { return false }
    if word == small, parts.count == 1 { return true }
    // Another capitalized word may be a name.
    guard parts.allSatisfy({ !CommonWords.alsoNames.contains($0) }) else { return false }
    if parts.count > 1 { return word == small || word == word.uppercased() }
    return beginsSentence && word.dropFirst() == small.dropFirst()
  }

  /// Whether the word is the path of a field, as in errors: "Trip.route[3].latitude".
  private func isPath(_ word: String) -> Bool {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { part in
        let name = part.prefix { $0 != "[" }
        let index = part.dropFirst(name.count)
        return terms.contains(String(name))
          && (index.isEmpty || index.last == "]" && Int(index.dropFirst().dropLast()) != nil)
      }
  }
}
