/// The one of `candidates` that `word` was probably meant to be: it is the beginning of it, or at
/// most a third of its letters (but up to two) are mistyped, left out, added or swapped. Nil when
/// none is near.
///
/// Among 20,000 candidates it takes some milliseconds: most are too short, too long or too different
/// after a few letters.
func nearest(to word: String, among candidates: [String]) -> String? {
  let typed = Array(word.utf8)
  guard typed.count <= longest else { return nil }
  if word.count > 2, let whole = candidates.first(where: { $0.hasPrefix(word) }) { return whole }
  var limit = max(2, typed.count / 3)
  var best: String?
  for candidate in candidates where abs(candidate.utf8.count - typed.count) <= limit {
    guard let distance = distance(typed, Array(candidate.utf8), limit: limit) else { continue }
    best = candidate
    if distance == 0 { break }
    limit = distance - 1
  }
  return best
}

/// What is longer nobody has mistyped.
private let longest = 256

/// The Damerau-Levenshtein distance (optimal string alignment); nil above the limit.
private func distance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let substituted = last[j] + (left[i] == right[j] ? 0 : 1)
      var best = min(substituted, last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        best = min(best, beforeLast[j - 1] + 1)
      }
      row.append(best)
    }
    // No row goes below the lower of the two before it.
    if let lowest = row.min(), lowest > limit, last.min() ?? 0 > limit { return nil }
    beforeLast = last
    last = row
  }
  return last[right.count] <= limit ? last[right.count] : nil
}
