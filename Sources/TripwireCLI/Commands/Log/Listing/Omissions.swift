/// What was left out of a copy, and how often, for its owner to know.
final class Omissions {
  private var counts: [String: (count: Int, reason: String?)] = [:]
  /// How many calls of which methods, "" for those without a beginning.
  private var calls: [String: Int] = [:]

  /// So many methods are told one by one.
  private static let methodLimit = 10

  /// - Parameters:
  ///   - what: "Trip.attributes"; nothing that a recording brings.
  ///   - reason: why this one, when the others like it are copied.
  func add(_ what: String, _ count: Int = 1, because reason: String? = nil) {
    counts[what, default: (0, reason)].count += count
  }

  func add(callOf method: String?) { calls[method ?? "", default: 0] += 1 }

  /// A line for each.
  var lines: [String] {
    let methods = Array(calls.keys).sorted()
    var lines = methods.prefix(Self.methodLimit).map { method in
      let count = Units.count(calls[method] ?? 0, "call")
      return method.isEmpty ? "\(count) without a beginning" : "\(count) of \(shortened(method))"
    }
    let others = methods.dropFirst(Self.methodLimit)
    if !others.isEmpty {
      let count = others.reduce(0) { $0 + (calls[$1] ?? 0) }
      lines.append("\(Units.count(count, "call")) of \(others.count) other methods")
    }
    for what in Array(counts.keys).sorted() {
      guard let (count, reason) = counts[what] else { continue }
      lines.append("\(what) (\(count))" + (reason.map { ": " + $0 } ?? ""))
    }
    return lines
  }
}
