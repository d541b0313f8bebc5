/// Classifies metadata as the application's own, the transport's or credentials.
package struct MetadataKinds {
  package enum Kind {
    case application, transport, credential
  }

  /// The kinds of recent names, indexed by length and last byte. Without this cache, classification
  /// would take most of the time to record a call.
  private var known = [(name: String, kind: Kind)](repeating: ("", .application), count: 64)

  package init() {}

  package mutating func kind(of entry: Metadata.Entry) -> Kind {
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
      ? .credential : MetadataRules.isApplications(entry.name) ? .application : .transport
    known[slot] = (entry.name, kind)
    return kind
  }
}
