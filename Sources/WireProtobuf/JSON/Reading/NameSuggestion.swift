// The field that was meant by a name that is none.

extension [String] {
  /// The one that is nearest to a name; nil when none is near.
  func suggestion(for name: String) -> String? {
    // More would be no slip of the pen, and take long.
    guard name.utf8.count <= 64 else { return nil }
    let wanted = [UInt8](name.lowercased().utf8)
    var best: String?
    var limit = wanted.count / 3
    for candidate in self where candidate.utf8.count <= 128 {
      let slips = slips(from: wanted, to: [UInt8](candidate.lowercased().utf8))
      guard slips < limit || slips == limit && best == nil else { continue }
      limit = slips
      best = candidate
    }
    return best
  }

  /// How many letters it takes to add, to drop, to change or to swap with the next one.
  private func slips(from a: [UInt8], to b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = [Int](0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = Swift.min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = Swift.min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
