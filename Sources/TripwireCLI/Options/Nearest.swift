/// The one of `candidates` that `word` was probably meant to be: it is the beginning of it, or at
/// most a third of its letters (but up to two) are mistyped, left out, added or swapped. Nil when
/// none is near.
func nearest(to word: String, among candidates: [String]) -> String? {
  let typed = Array(word)
  if typed.count > 2, let whole = candidates.first(where: { $0.hasPrefix(word) }) { return whole }
  let limit = max(2, typed.count / 3)
  let distances = candidates.map { (candidate: $0, distance: distance(typed, Array($0))) }
  guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= limit
  else { return nil }
  return best.candidate
}

/// The Damerau-Levenshtein distance (optimal string alignment).
private func distance(_ left: [Character], _ right: [Character]) -> Int {
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
    beforeLast = last
    last = row
  }
  return last[right.count]
}
