// Suggests a similar known name for an unknown one.

extension [String] {
  /// Returns the name most similar to `name`, or nil if none is similar.
  package func suggestion(for name: String) -> String? {
    // A longer name is not a typing error, and comparing it takes long.
    guard name.utf8.count <= 64 else { return nil }
    return nearest(to: name, within: name.utf8.count / 3, ignoringCase: true)
  }

  /// Returns the first of the strings nearest to `word`, or nil if all are more than `limit` edits
  /// away.
  ///
  /// Searching 20,000 strings takes some milliseconds: most are rejected by their length or after a
  /// few letters.
  package func nearest(to word: String, within limit: Int, ignoringCase: Bool = false) -> String? {
    func letters(_ text: String) -> [UInt8] {
      [UInt8]((ignoringCase ? text.lowercased() : text).utf8)
    }
    let typed = letters(word)
    var limit = limit
    var best: String?
    for candidate in self where abs(candidate.utf8.count - word.utf8.count) <= limit {
      guard let distance = editDistance(typed, letters(candidate), limit: limit) else { continue }
      best = candidate
      if distance == 0 { break }
      limit = distance - 1
    }
    return best
  }
}

/// Returns the Damerau-Levenshtein distance (optimal string alignment), or nil above the limit.
private func editDistance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
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
    // No later row has a value below the minimum of the previous two rows.
    if let lowest = row.min(), lowest > limit, last.min() ?? 0 > limit { return nil }
    beforeLast = last
    last = row
  }
  return last[right.count] <= limit ? last[right.count] : nil
}
