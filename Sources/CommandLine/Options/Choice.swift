/// A set of words, each with a value, as the argument of an option.
package struct Choice<Value: Sendable>: Sendable {
  private let choices: [(name: String, value: Value)]
  /// The action for a word that is none of them and like none of them; nil points to the command's help.
  private let hint: String?

  package init(_ choices: [(String, Value)], hint: String? = nil) {
    self.choices = choices.map { (name: $0.0, value: $0.1) }
    self.hint = hint
  }

  var names: [String] { choices.map(\.name) }

  /// Returns the value of a word. Upper case equals lower case, and `_` equals `-`.
  package func value(_ text: String) throws(InvalidValue) -> Value {
    let wanted = folded(text)
    if let match = choices.first(where: { folded($0.name) == wanted }) { return match.value }
    let guesses = guesses(at: wanted).joined(separator: " or ")
    throw InvalidValue(
      names.count > 2
        ? "expected one of " + names.joined(separator: ", ")
        : "expected " + names.joined(separator: " or "),
      hint: guesses.isEmpty ? hint : "did you mean \(guesses)?")
  }

  /// Returns the name that `typed` probably means, or all names with such a word: `arived` is near
  /// arrived-at-pickup.
  private func guesses(at typed: String) -> [String] {
    guard typed.utf8.count > 1 else { return [] }
    if let name = nearest(to: typed, among: names) { return [name] }
    let words = names.map { $0.split(separator: "-").map(String.init).filter { $0.utf8.count > 3 } }
    guard let word = nearest(to: typed, among: words.flatMap(\.self)) else { return [] }
    return zip(names, words).filter { $0.1.contains(word) }.map(\.0)
  }

  private func folded(_ text: String) -> String {
    String(text.lowercased().map { $0 == "_" ? "-" : $0 })
  }
}
