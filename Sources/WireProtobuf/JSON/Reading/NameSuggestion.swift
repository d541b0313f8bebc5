// The name that was probably meant by one that does not exist.

extension [String] {
  /// Returns the field name nearest to `name`, or nil when none is near.
  func suggestion(for name: String) -> String? {
    // A longer name is no typing mistake, and takes long to compare.
    guard name.utf8.count <= 64 else { return nil }
    return nearest(to: name, within: name.utf8.count / 3, ignoringCase: true)
  }

  /// Returns the first of the strings nearest to `word`, or nil when each is more than `limit` edits
  /// away.
  ///
  /// Among 20,000 strings this takes some milliseconds: most are too short, too long or too different
  /// after a few letters.
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

/// The Damerau-Levenshtein distance (optimal string alignment); nil above the limit.
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
    // No row goes below the lower of the two before it.
    if let lowest = row.min(), lowest > limit, last.min() ?? 0 > limit { return nil }
    beforeLast = last
    last = row
  }
  return last[right.count] <= limit ? last[right.count] : nil
}
