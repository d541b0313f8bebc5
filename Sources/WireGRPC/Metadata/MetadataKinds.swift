/// Classifies metadata as the application's own, the transport's or credentials.
package struct MetadataKinds {
  private enum Kind {
    case applications, transports, credential
  }

  /// The kinds of recent names, indexed by length and last byte. Without this cache, classification
  /// would take most of the time to record a call.
  private var known = [(name: String, kind: Kind)](repeating: ("", .applications), count: 64)

  package init() {}

  /// Returns whether the entry is the application's own and not a credential.
  package mutating func isApplications(_ entry: Metadata.Entry) -> Bool {
    kind(of: entry) == .applications
  }

  /// Returns whether the entry is a credential.
  mutating func isCredential(_ entry: Metadata.Entry) -> Bool {
    kind(of: entry) == .credential
  }

  private mutating func kind(of entry: Metadata.Entry) -> Kind {
    if entry.isSensitive { return .credential }
    if case .text(let text) = entry.value,
      MetadataRules.isCredential(text)
        || entry.name == "location" && MetadataRules.withoutCredentials(location: text) != text
    {
      return .credential
    }
    let name = entry.name.utf8
    let slot = (name.count * 5 + Int(name.last ?? 0)) & (known.count - 1)
    if known[slot].name == entry.name { return known[slot].kind }
    let kind: Kind =
      MetadataRules.mayBeSecret(entry.name)
      ? .credential : MetadataRules.isApplications(entry.name) ? .applications : .transports
    known[slot] = (entry.name, kind)
    return kind
  }
}
