/// Which metadata is the application's own, and which is a credential.
package struct MetadataKinds {
  private enum Kind {
    case applications, transports, credential
  }

  /// What was found out about the last names, by their lengths and ends: it takes longer than all else
  /// that is done to record a call.
  private var known = [(name: String, kind: Kind)](repeating: ("", .applications), count: 64)

  package init() {}

  /// Whether it is the application's own, and no credential.
  package mutating func isApplications(_ entry: Metadata.Entry) -> Bool {
    kind(of: entry) == .applications
  }

  /// Whether it is a credential.
  mutating func isCredential(_ entry: Metadata.Entry) -> Bool {
    kind(of: entry) == .credential
  }

  private mutating func kind(of entry: Metadata.Entry) -> Kind {
    if entry.isSensitive { return .credential }
    if case .text(let text) = entry.value, MetadataRules.isCredential(text) { return .credential }
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
