import FleetEngineAPI
import WireProtobuf

/// Filters for Fleet Engine's log entries, in the Logging query language.
enum LogFilter {
  /// The longest condition about resources, in bytes. Cloud Logging accepts filters of 20,000 characters.
  private static let longest = 16_000

  /// Returns filters that together match the entries about any of the resources.
  ///
  /// - Parameters:
  ///   - resources: empty for all resources.
  ///   - since: the first time.
  ///   - until: the end, which is not included; nil for no end.
  static func filters(
    of resources: [LoggedResource], since: Timestamp, until: Timestamp?
  ) -> [String] {
    func filter(_ conditions: [String], _ kinds: Set<ResourceKind>) -> String {
      let types = Set(kinds.map(\.loggedType)).sorted().map { "resource.type=\(quoted($0))" }
      let parts: [String?] = [
        types.joined(separator: " OR "),
        // The logs of calls, such as projects/p/logs/fleetengine.googleapis.com%2Fget_trip.
        "logName:\(quoted("logs/fleetengine.googleapis.com%2F"))",
        "timestamp>=\(quoted(since.text))",
        until.map { "timestamp<\(quoted($0.text))" },
        conditions.isEmpty ? nil : conditions.joined(separator: " OR "),
      ]
      return parts.compactMap { $0.map { "(\($0))" } }.joined(separator: " AND ")
    }
    guard !resources.isEmpty else { return [filter([], Set(ResourceKind.allCases))] }
    var filters: [String] = []
    var conditions: [String] = []
    var kinds: Set<ResourceKind> = []
    var length = 0
    for resource in resources {
      let condition = resource.conditions.joined(separator: " OR ")
      if length + condition.utf8.count > longest, !conditions.isEmpty {
        filters.append(filter(conditions, kinds))
        (conditions, kinds, length) = ([], [], 0)
      }
      conditions.append(condition)
      kinds.formUnion(resource.kinds)
      length += condition.utf8.count
    }
    return filters + [filter(conditions, kinds)]
  }

  /// Returns the text as a string literal of the language.
  static func quoted(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      // A control character may end the line, and with it the comparison.
      case "\0"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        literal += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

extension LoggedResource {
  fileprivate var kinds: [ResourceKind] {
    kind.map { [$0] } ?? ResourceKind.allCases.filter { $0 != .taskTrackingInfo }
  }

  fileprivate var conditions: [String] {
    let value = LogFilter.quoted(id)
    return kinds.flatMap { kind in
      // A search for vehicles may name the trip that it is for, and then has no label.
      let fields =
        kind == .trip ? ["jsonPayload.request.trip_id", "jsonPayload.request.tripId"] : []
      return (["labels.\(kind.idField)"] + fields).map { "\($0)=\(value)" }
    }
  }
}

extension Timestamp {
  /// "2026-11-21T09:30:00.5Z"; the year 1 for a time that RFC 3339 cannot express.
  fileprivate var text: String {
    guard let json = try? jsonString() else { return "0001-01-01T00:00:00Z" }
    return String(json.dropFirst().dropLast())
  }
}
