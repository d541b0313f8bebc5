import FleetEngineAPI

/// The private claim that the token of a call needs.
enum TokenClaim {
  /// An ID or `*`.
  case one(ResourceKind, String)
  /// `*`.
  case all(ResourceKind)
  /// The IDs of all tasks in a batch, or `*`, in a list.
  case tasks([String])

  /// - Parameter name: of the resource. Only its last part matters, because tokens are checked before names.
  static func one(_ kind: ResourceKind, named name: String) -> Self {
    .one(kind, lastSegment(of: name) ?? "")
  }

  var name: String {
    switch self {
    case .one(let kind, _), .all(let kind): kind.claim
    case .tasks: "taskids"
    }
  }
}
