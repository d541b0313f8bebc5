import Tripwire
import WireSystem

/// Warns before a call with a token that has expired or is for another resource. The call is still made,
/// because only the server decides. Tokens that are not JWTs are not checked.
final class TokenWarnings: Sendable {
  /// The most warnings that are remembered, so that each is given once.
  private static let limit = 1_000

  /// The option that the token comes from.
  private let option: String
  private let clock: @Sendable () -> WallClock
  private let warn: @Sendable (String) -> Void
  private let given = Locked<Set<String>>([])

  init(
    of option: String, clock: @escaping @Sendable () -> WallClock,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.option = option
    self.clock = clock
    self.warn = warn
  }

  /// - Parameter context: the resources of the call.
  func check(_ text: String, for context: AuthorizationContext) {
    guard let token = try? JSONWebToken(text) else { return }
    let clock = clock()
    if let end = token.claims.number("exp"), end < Double(clock.now), end >= 0 {
      let time = Int64(end)
      report("\(time)", "\(option): the token expired at \(clock.text(time, withZone: true))")
    }
    let claims = token.claims.object("authorization")?.fields
    for kind in ResourceKind.allCases {
      check(context[kind].map { [$0] } ?? [], kind.noun, claims?[kind.claim]?.ids)
    }
    check(context.taskIDs, ResourceKind.task.noun, claims?[AuthorizationClaims.array]?.ids)
  }

  /// - Parameter ids: the IDs in the claim; nil without a claim.
  private func check(_ wanted: [String], _ noun: String, _ ids: [String]?) {
    guard let ids, !ids.isEmpty, !ids.contains("*"),
      let missing = wanted.first(where: { !ids.contains($0) })
    else { return }
    let text =
      "\(option): the token is for the \(noun) \(ids.joined(separator: ", ")), not for "
      + (missing == "*" ? "all" : missing)
    report(text, text)
  }

  private func report(_ key: String, _ text: String) {
    let isNew = given.withLock { given in
      if given.count >= Self.limit { given = [] }
      return given.insert(key).inserted
    }
    if isNew { warn(text) }
  }
}
