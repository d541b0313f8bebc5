package import Tripwire

/// The name or the ID that selects the resource of a timeline.
package struct ResourceSelector: Sendable {
  package let kind: ResourceKind
  /// Whether the text could have selected a resource of another kind as well.
  package let isOfAnyKind: Bool
  /// The whole name, or the ID.
  private let text: String
  /// "/trips/t1".
  private let end: String

  /// Selects a trip.
  ///
  /// - Parameter text: its whole name, or its ID.
  package init(trip text: String) {
    self.init(.trip, text, isOfAnyKind: false)
  }

  /// Returns nil for a text with slashes that names no resource.
  ///
  /// - Parameter name: "providers/p/tasks/t1", "tasks/t1", or the ID of a trip.
  package init?(_ name: String) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: self.init(.trip, name, isOfAnyKind: true)
    case 2:
      guard let kind = ResourceKind(rawValue: String(parts[0])), !parts[1].isEmpty else {
        return nil
      }
      self.init(kind, String(parts[1]), isOfAnyKind: true)
    default:
      guard let kind = ResourceKind(ofName: name) else { return nil }
      self.init(kind, name, isOfAnyKind: true)
    }
  }

  private init(_ kind: ResourceKind, _ text: String, isOfAnyKind: Bool) {
    self.kind = kind
    self.text = text
    self.isOfAnyKind = isOfAnyKind
    end = "/\(kind.rawValue)/\(text)"
  }

  func isNamed(_ name: String, _ kind: ResourceKind) -> Bool {
    kind == self.kind && (name == text || name.hasSuffix(end))
  }
}

extension ResourceKind {
  /// Nil for text that is not the name of a resource, "providers/p/tasks/t1".
  package init?(ofName name: String) {
    guard let (_, collection, id) = nameSegments(of: name), !id.isEmpty,
      let kind = name.utf8Span.span.text(collection).flatMap(ResourceKind.init(rawValue:))
    else { return nil }
    self = kind
  }
}
