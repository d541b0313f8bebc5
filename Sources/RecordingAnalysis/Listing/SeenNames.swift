/// The names in a recording, for an error about a name that is not in it.
struct SeenNames {
  private static let limit = 8

  private(set) var hasWanted = false
  /// The first of the other names.
  private(set) var others: [String] = []

  mutating func add(_ name: String, isWanted: Bool) {
    if isWanted {
      hasWanted = true
    } else if !hasWanted, others.count < Self.limit, !others.contains(name) {
      others.append(name)
    }
  }
}
