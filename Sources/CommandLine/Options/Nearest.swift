import WireProtobuf

/// Returns the candidate that `word` probably means: one that starts with it, or one from which at most a
/// third of its letters (or one) differ. Ignores case. Nil if there is none.
package func nearest(to word: String, among candidates: [String]) -> String? {
  guard word.utf8.count <= longest else { return nil }
  let lowercased = word.lowercased()
  if let equal = candidates.first(where: { $0.lowercased() == lowercased }), word.count > 1 {
    return equal
  }
  if word.count > 2, let whole = candidates.first(where: { $0.hasPrefix(word) }) { return whole }
  // Every letter is near every other one.
  guard word.utf8.count > 1 else { return candidates.first { $0 == word } }
  let letters = word.utf8.drop { $0 == UInt8(ascii: "-") }
  return candidates.nearest(to: word, within: max(1, letters.count / 3), ignoringCase: true)
}

/// Returns the value of the name that `word` probably means; nil if there is none.
package func nearest<Value>(
  to word: String, among named: [(name: String, value: Value)]
) -> Value? {
  let name = nearest(to: word, among: named.map(\.name))
  return named.first { $0.name == name }?.value
}

/// Longer words are not compared.
private let longest = 256
