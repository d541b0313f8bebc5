extension Metadata {
  /// A name with all its values.
  public struct Group: Sendable, Hashable {
    /// The name in lower case.
    public let name: String
    /// The values, in the order of the metadata; at least one.
    public fileprivate(set) var values: [Value]
    /// Whether any entry with this name is sensitive.
    public fileprivate(set) var isSensitive: Bool
  }

  /// The entries grouped by name, in the order in which the names first appear.
  ///
  ///     for group in response.headers.groupedByName { print(group) }  // x-user: anna, bert
  ///
  /// Every access takes linear time.
  public var groupedByName: [Group] {
    var groups: [Group] = []
    var places: [String: Int] = [:]
    for entry in entries {
      if let place = places[entry.name] {
        groups[place].values.append(entry.value)
        groups[place].isSensitive = groups[place].isSensitive || entry.isSensitive
      } else {
        places[entry.name] = groups.count
        groups.append(
          Group(name: entry.name, values: [entry.value], isSensitive: entry.isSensitive))
      }
    }
    return groups
  }
}

extension Metadata.Group: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// "x-user: anna, bert", "authorization: <redacted>". Bytes are in Base64.
  public var description: String { "\(name): \(shown.joined(separator: ", "))" }

  public var debugDescription: String { description }

  public var customMirror: Mirror {
    Mirror(
      self, children: ["name": name, "values": shown, "isSensitive": isSensitive],
      displayStyle: .struct)
  }

  private var shown: [String] {
    values.map { Metadata.Entry(name: name, value: $0, isSensitive: isSensitive).shown }
  }
}
