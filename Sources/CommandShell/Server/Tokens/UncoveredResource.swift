import Tripwire
import WireProtobuf

/// A resource of a call that the claims of its token do not cover.
package struct UncoveredResource: Equatable, Sendable {
  /// The claim that would cover it, such as `tripid`.
  package let claim: String
  /// The ID of the resource; `*` means all.
  package let id: String
  /// The IDs in the claim; empty if it is missing.
  package let ids: [String]
  /// The resources that the token covers instead: "the vehicle v1".
  package let coverage: String

  /// "trip"
  var noun: String { ResourceKind(claim: claim)?.noun ?? claim }
}

extension JSONWebToken {
  /// Returns the resources of a call that the claim `authorization` does not cover. A token without this
  /// claim grants what the account of the token may do.
  func uncovered(by context: AuthorizationContext) -> [UncoveredResource] {
    guard let claims = claims.object("authorization")?.fields else { return [] }
    var wanted = ResourceKind.allCases.compactMap { kind in context[kind].map { (kind.claim, $0) } }
    wanted += context.taskIDs.map { (AuthorizationClaims.array, $0) }
    return wanted.compactMap { claim, id in
      let ids = claims[claim]?.ids ?? []
      guard !ids.contains("*"), !ids.contains(id) else { return nil }
      return UncoveredResource(claim: claim, id: id, ids: ids, coverage: coverage ?? "no resource")
    }
  }

  /// The resources that the claim `authorization` covers: "all trips, the vehicle v1"; nil if there are none.
  package var coverage: String? {
    guard let claims = claims.object("authorization")?.fields else { return nil }
    let parts = AuthorizationClaims.known.compactMap { name -> String? in
      guard let ids = claims[name]?.ids, !ids.isEmpty, let kind = ResourceKind(claim: name) else {
        return nil
      }
      if ids.contains("*") { return "all \(kind.plural)" }
      return "the \(ids.count > 1 ? kind.plural : kind.noun) \(ids.joined(separator: ", "))"
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
