/// Which names a recording has, for those who ask for one that it does not have.
struct NamesMet {
  /// So many are told.
  private static let limit = 8

  private(set) var hasWanted = false
  private var others: [String] = []

  mutating func meet(_ name: String, isWanted: Bool) {
    if isWanted {
      hasWanted = true
    } else if !hasWanted, others.count < Self.limit, !others.contains(name) {
      others.append(name)
    }
  }

  /// "calls about a, b", "none" where there is nothing.
  func others(of what: String) -> String {
    others.isEmpty
      ? "no \(what)" : others.map { shortened($0) }.joined(separator: ", ")
  }
}
