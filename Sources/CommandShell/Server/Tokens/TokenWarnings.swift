import Tripwire
import WireSystem

/// Warns before a call with a token that has expired or is for another resource. The call is still made,
/// because only the server decides. Tokens that are not JWTs are not checked.
final class TokenWarnings: Sendable {
  private struct State {
    var given: Set<String> = []
    /// The last token of each resource, by its name.
    var tokens: [String: JSONWebToken] = [:]
  }

  /// The most warnings and tokens that are remembered.
  private static let limit = 1_000

  /// The option that the token comes from.
  private let option: String
  private let clock: @Sendable () -> WallClock
  private let warn: @Sendable (String) -> Void
  private let state = Locked(State())

  init(
    of option: String, clock: @escaping @Sendable () -> WallClock,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.option = option
    self.clock = clock
    self.warn = warn
  }

  func check(_ text: String, for context: AuthorizationContext) {
    guard let token = try? JSONWebToken(text) else { return }
    let clock = clock()
    if let end = token.claims.number("exp"), end < Double(clock.now), end >= 0 {
      let time = Int64(end)
      report("\(time)", "\(option): the token expired at \(clock.text(time, withZone: true))")
    }
    state.withLock { state in
      if state.tokens.count >= Self.limit { state.tokens = [:] }
      state.tokens[context.resourceName] = token
    }
    var claims: Set<String> = []
    // Servers accept some tokens without a claim, but not with that of another resource.
    for resource in token.uncovered(by: context) where !resource.ids.isEmpty {
      guard claims.insert(resource.claim).inserted else { continue }
      let text =
        "\(option): the token is for the \(resource.noun) \(resource.ids.joined(separator: ", ")), not for "
        + (resource.id == "*" ? "all" : resource.id)
      report(text, text)
    }
  }

  /// Returns the last token of a call about this resource, or the only one; nil if it was not a JWT.
  func lastToken(for name: String) -> JSONWebToken? {
    state.withLock { state in
      state.tokens[name] ?? (state.tokens.count == 1 ? state.tokens.first?.value : nil)
    }
  }

  private func report(_ key: String, _ text: String) {
    let isNew = state.withLock { state in
      if state.given.count >= Self.limit { state.given = [] }
      return state.given.insert(key).inserted
    }
    if isNew { warn(text) }
  }
}
