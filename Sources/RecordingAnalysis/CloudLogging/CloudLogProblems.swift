/// The reasons for which parts of an export were left out.
package struct CloudLogProblems {
  /// How many reasons are kept.
  private static let limit = 10

  /// How many parts were left out.
  package private(set) var count = 0
  /// "entry".
  private let noun: String
  private var found: [String: (first: Int, line: Int?, count: Int)] = [:]

  init(of noun: String) {
    self.noun = noun
  }

  /// - Parameters:
  ///   - entry: its number, from 1.
  ///   - line: returns where the entry begins; nil if it is not known. It is called for a new reason.
  mutating func add(_ reason: String, inEntry entry: Int, line: () -> Int?) {
    count += 1
    if found[reason] == nil {
      guard found.count < Self.limit else { return }
      found[reason] = (entry, line(), 0)
    }
    found[reason]?.count += 1
  }

  /// The first reasons, "7: entry 3 and 2 more: timestamp is missing".
  package var reasons: [CloudLogError] {
    found.sorted { ($0.value.first, $0.key) < ($1.value.first, $1.key) }.map { reason, found in
      let place = found.line.map { "\($0): " } ?? ""
      let more = found.count > 1 ? " and \(found.count - 1) more" : ""
      return CloudLogError(
        "\(place)\(noun) \(found.first)\(more): \(reason)", isPlaced: found.line != nil)
    }
  }

  /// How many parts were left out for other reasons.
  package var otherCount: Int { count - found.values.reduce(0) { $0 + $1.count } }
}
