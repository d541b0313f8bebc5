package import CommandLine
import CommandShell
import Tripwire
package import WireProtobuf

extension Parse {
  /// Parses `t1`, `trips/t1` or `providers/p/trips/t1` for the claim `tripid`, and so on for the other
  /// claims. Returns the ID and the project.
  package static func bareID(
    _ claim: String
  ) -> @Sendable (String) throws(InvalidValue) -> (id: String, project: String?) {
    { (text) throws(InvalidValue) in
      let name = ProviderOption(id: "p").fullName(text)
      let context = AuthorizationContext(of: text.utf8.contains(UInt8(ascii: "/")) ? name : "")
      guard let kind = ResourceKind.allCases.first(where: { context[$0] != nil }) else {
        try check(text, claim: claim)
        return (text, nil)
      }
      guard kind.claim == claim else {
        let wanted = ResourceKind(claim: claim)?.noun ?? claim
        throw InvalidValue(
          "expected a \(wanted), found a \(kind.noun)",
          hint: "use --\(kind.option)")
      }
      let id = context[kind] ?? ""
      try check(id, claim: claim)
      return (id, (try? ResourceName(text))?.providerID)
    }
  }

  private static func check(_ id: String, claim name: String) throws(InvalidValue) {
    try check("\(id)" as Value, claim: name)
  }

  package static func check(_ value: Value, claim name: String) throws(InvalidValue) {
    if let (reason, cure) = AuthorizationClaims.problem(name, value) {
      switch value.text {
      case ""? where !name.isEmpty: throw InvalidValue("the ID is empty", hint: cure)
      case let id? where id.contains("/"):
        throw InvalidValue("an ID must not contain a /", hint: cure)
      default: throw InvalidValue("the claim \(reason)", hint: cure)
      }
    }
    if let id = value.text, let reason = problem(ofID: id, claim: name) {
      throw InvalidValue(reason)
    }
  }

  /// Parses `t1,t2`. No ID contains a comma.
  package static func taskIDs(_ text: String) throws(InvalidValue) -> [String] {
    let ids = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if ids.count > 1, ids.contains("") {
      throw InvalidValue("an ID is empty", hint: "separate the IDs by one comma")
    }
    for id in ids { try check(id, claim: "taskid") }
    return ids
  }

  /// Returns why no resource can have this ID; nil if one can, or for any other claim.
  package static func problem(ofID id: String, claim: String) -> String? {
    guard id != "*", let kind = ResourceKind(claim: claim) else { return nil }
    do throws(ResourceNameError) {
      _ = try ResourceName("providers/p/\(kind.rawValue)/\(id)")
      return nil
    } catch {
      return "not an ID: \(error.reason)"
    }
  }
}
