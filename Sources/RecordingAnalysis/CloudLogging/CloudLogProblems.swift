/// The reasons for which parts of an export were left out.
package struct CloudLogProblems {
  /// How many reasons are kept.
  private static let limit = 10

  /// How many parts were left out.
  package private(set) var count = 0
  private var reasons: [String: (first: Int, count: Int)] = [:]

  /// - Parameter entry: its number, from 1.
  mutating func add(_ reason: String, inEntry entry: Int) {
    count += 1
    if reasons.count < Self.limit || reasons[reason] != nil {
      reasons[reason, default: (entry, 0)].count += 1
    }
  }

  /// The first reasons, "entry 3 and 2 more: timestamp is missing".
  package var texts: [String] {
    reasons.sorted { ($0.value.first, $0.key) < ($1.value.first, $1.key) }.map { reason, found in
      "entry \(found.first)\(found.count > 1 ? " and \(found.count - 1) more" : ""): \(reason)"
    }
  }

  /// How many parts were left out for other reasons.
  package var otherCount: Int { count - reasons.values.reduce(0) { $0 + $1.count } }
}
