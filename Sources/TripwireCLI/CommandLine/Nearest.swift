import WireProtobuf

/// The one of `candidates` that `word` was probably meant to be: it is the beginning of it, or at
/// most a third of its letters (but up to two) are mistyped, left out, added or swapped. Nil when
/// none is near.
func nearest(to word: String, among candidates: [String]) -> String? {
  guard word.utf8.count <= longest else { return nil }
  if word.count > 2, let whole = candidates.first(where: { $0.hasPrefix(word) }) { return whole }
  return candidates.nearest(to: word, within: max(2, word.utf8.count / 3))
}

/// What is longer nobody has mistyped.
private let longest = 256
