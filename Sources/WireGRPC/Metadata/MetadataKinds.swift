/// Which metadata is the application's own, and which proves who asks.
package struct MetadataKinds {
  private enum Kind {
    case applications, transports, secret
  }

  /// What was found out about the last names, by their lengths and ends: it takes longer than all else
  /// that is done to record a call.
  private var known = [(name: String, kind: Kind)](repeating: ("", .applications), count: 64)

  package init() {}

  /// Whether it is the application's own, and does not prove who asks.
  package mutating func isApplications(_ entry: Metadata.Entry) -> Bool {
    kind(of: entry) == .applications
  }

  /// Whether it proves who asks.
  mutating func isSecret(_ entry: Metadata.Entry) -> Bool {
    kind(of: entry) == .secret
  }

  private mutating func kind(of entry: Metadata.Entry) -> Kind {
    if entry.isSensitive { return .secret }
    if case .text(let text) = entry.value, MetadataRules.isCredential(text) { return .secret }
    let name = entry.name.utf8
    let slot = (name.count * 5 + Int(name.last ?? 0)) & (known.count - 1)
    if known[slot].name == entry.name { return known[slot].kind }
    let kind: Kind =
      MetadataRules.mayBeSecret(entry.name)
      ? .secret : MetadataRules.isApplications(entry.name) ? .applications : .transports
    known[slot] = (entry.name, kind)
    return kind
  }
}
