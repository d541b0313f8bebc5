import WireGRPCClient

/// Which tokens there are, which are being fetched, who waits for them, and which the server refused.
struct KeptTokens {
  typealias Waiter = FirstResult<Result<AuthToken, any Error>>

  /// How long after a refresh that failed the next is tried, in seconds.
  static let pause = 10.0
  /// For how long a failure stands when it is the first: each that follows stands twice as long, up to
  /// `pause`.
  static let firstPause = 2.0

  /// The token of one key, and its refusals.
  private struct Entry {
    var kept: KeptToken?
    /// Before which uptime the token is not renewed, as that has just failed.
    var nextRenewal = -Double.infinity
    var fetch: Fetch?
    /// What the last fetch failed with.
    var failure: Failure?
    /// By the context of the call that the server refused the token for: a token that is good for one
    /// trip may be refused for another.
    var refused: [AuthorizationContext: RefusedToken] = [:]
    var backoff: RefusalBackoff?

    /// The token if it may be sent.
    func token(for context: AuthorizationContext, _ now: TokenTime) -> AuthToken? {
      guard let kept, kept.isGood(at: now), !isRefused(kept.token, for: context, now) else {
        return nil
      }
      return kept.token
    }

    func isRefused(_ token: AuthToken, for context: AuthorizationContext, _ now: TokenTime) -> Bool
    {
      guard !refused.isEmpty, let refusal = refused[context] else { return false }
      return refusal.value == token.value && refusal.stands(at: now)
    }

    /// Why the source is not asked for another token yet; nil if it may be.
    func refusal(for context: AuthorizationContext, _ now: TokenTime) -> TokenError? {
      guard let backoff, now.uptime < backoff.next, let refusal = refused[context],
        refusal.stands(at: now)
      else { return nil }
      let wait = backoff.next - now.uptime
      return refusal.error(
        backoff.isSameToken
          ? ", and the token provider returned the same token again; retry in \(wait.inSeconds)"
          : "; retry with another token in \(wait.inSeconds)", retryAfter: wait)
    }

    func isIdle(_ now: TokenTime) -> Bool {
      fetch == nil && kept?.isGood(at: now) != true && (failure?.end ?? now.uptime) <= now.uptime
        && !refused.values.contains { $0.stands(at: now) } && backoff?.isOver(at: now) != false
    }

    var isEmpty: Bool {
      fetch == nil && kept == nil && failure == nil && refused.isEmpty && backoff == nil
    }
  }

  /// Who comes before its end is told of it instead of asking again.
  private struct Failure {
    let error: any Error
    let pause: Double
    /// In seconds of uptime.
    let end: Double

    init(_ error: any Error, after last: Failure?, now: TokenTime) {
      self.error = error
      pause = last.map { min(2 * $0.pause, KeptTokens.pause) } ?? KeptTokens.firstPause
      end = now.uptime + pause
    }
  }

  private struct Fetch {
    let id: UInt64
    var task: Task<Void, Never>?
    var waiters: [ObjectIdentifier: (waiter: Waiter, context: AuthorizationContext)] = [:]
  }

  private let limit: Int
  private var entries: [AuthorizationContext: Entry] = [:]
  /// At how many entries the idle ones are looked for.
  private var sweep = 64
  private var lastFetch: UInt64 = 0

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { entries.count }

  /// How many wait for a token that is being fetched.
  func waiting(for key: AuthorizationContext) -> Int? { entries[key]?.fetch?.waiters.count }

  /// The tasks of all fetches.
  func fetches() -> [Task<Void, Never>] { entries.values.compactMap(\.fetch?.task) }

  /// The token if it may be sent, and the fetch that is to begin now, if one is.
  mutating func use(
    _ key: AuthorizationContext, for context: AuthorizationContext, now: TokenTime
  ) -> (token: AuthToken?, fetch: UInt64?) {
    guard let entry = entries[key], let token = entry.token(for: context, now) else {
      return (nil, nil)
    }
    guard entry.kept?.needsRenewal(at: now) == true, entry.nextRenewal <= now.uptime,
      entry.fetch == nil
    else { return (token, nil) }
    return (token, newFetch(for: key))
  }

  /// Has somebody wait for the token, unless it is there, the last fetch has just failed, or it is too
  /// early to ask for another than a refused one. Returns the fetch that is to begin now.
  mutating func wait(
    _ waiter: Waiter, for key: AuthorizationContext, _ context: AuthorizationContext,
    now: TokenTime
  ) -> UInt64? {
    if let entry = entries[key] {
      if let token = entry.token(for: context, now) {
        waiter.end(.success(token))
        return nil
      }
      if entry.fetch == nil {
        if let failure = entry.failure, failure.end > now.uptime {
          waiter.end(.failure(failure.error))
          return nil
        }
        if let refusal = entry.refusal(for: context, now) {
          waiter.end(.failure(refusal))
          return nil
        }
      }
    }
    makeRoom(for: key, now: now)
    let id = entries[key]?.fetch == nil ? newFetch(for: key) : nil
    entries[key]?.fetch?.waiters[ObjectIdentifier(waiter)] = (waiter, context)
    return id
  }

  private mutating func newFetch(for key: AuthorizationContext) -> UInt64 {
    lastFetch += 1
    entries[key, default: Entry()].fetch = Fetch(id: lastFetch)
    return lastFetch
  }

  /// Notes who fetches. Returns whether that is still wanted.
  mutating func begun(
    _ fetch: UInt64, _ task: Task<Void, Never>, for key: AuthorizationContext
  ) -> Bool {
    guard entries[key]?.fetch?.id == fetch else { return false }
    entries[key]?.fetch?.task = task
    return true
  }

  /// Somebody waits no longer. Returns the task that nobody waits for then.
  mutating func leave(_ waiter: Waiter, for key: AuthorizationContext) -> Task<Void, Never>? {
    guard
      entries[key]?.fetch?.waiters.removeValue(forKey: ObjectIdentifier(waiter)) != nil
    else { return nil }
    return stopRefreshing(key)
  }

  /// Drops the fetch for which nobody waits. Returns its task.
  mutating func stopRefreshing(_ key: AuthorizationContext) -> Task<Void, Never>? {
    guard let fetch = entries[key]?.fetch, fetch.waiters.isEmpty else { return nil }
    entries[key]?.fetch = nil
    if entries[key]?.isEmpty == true { entries[key] = nil }
    return fetch.task
  }

  /// What a fetch came to. Returns who waits for it, and with what each wait ends; nobody if it is no
  /// longer wanted.
  mutating func end(
    _ fetch: UInt64, _ outcome: Result<AuthToken, any Error>, for key: AuthorizationContext,
    now: TokenTime
  ) -> [(Waiter, Result<AuthToken, any Error>)] {
    guard var entry = entries[key], let ended = entry.fetch, ended.id == fetch else { return [] }
    entry.fetch = nil
    switch outcome {
    case .success(let token):
      entry.failure = nil
      entry.kept = KeptToken(token, at: now)
      entry.nextRenewal = -.infinity
      if !entry.refused.isEmpty {
        entry.refused = entry.refused.filter { $0.value.value == token.value }
        entry.backoff = RefusalBackoff(
          after: entry.backoff, isSameToken: !entry.refused.isEmpty, now: now)
      }
    case .failure(let error):
      entry.failure = Failure(error, after: entry.failure, now: now)
      entry.nextRenewal = now.uptime + Self.pause
    }
    entries[key] = entry.isIdle(now) ? nil : entry
    return ended.waiters.values.map { waiter, context in
      (
        waiter,
        outcome.flatMap { token in
          guard entry.isRefused(token, for: context, now),
            let refusal = entry.refusal(for: context, now)
          else { return .success(token) }
          return .failure(refusal)
        }
      )
    }
  }

  // MARK: Refused tokens

  /// Notes that the server refused a token, unless there is another by now.
  ///
  /// - Parameter isOnly: whether its source never has another, so that it is sent again after a while.
  mutating func refuse(
    _ token: AuthToken, because reason: String, for key: AuthorizationContext,
    _ context: AuthorizationContext, isOnly: Bool, now: TokenTime
  ) {
    makeRoom(for: key, now: now)
    var entry = entries[key] ?? Entry()
    if let kept = entry.kept, kept.token.value != token.value, kept.isGood(at: now) { return }
    let last = entry.refused[context].flatMap { $0.value == token.value ? $0 : nil }
    // Several calls may have been made with it at the same time.
    if let last, last.stands(at: now) { return }
    if entry.backoff?.isOver(at: now) == true { entry.backoff = nil }
    var pause = RefusedToken.lifetime
    if isOnly {
      let isRecent = last.map { now.uptime < $0.end + RefusalBackoff.longest } ?? false
      pause = RefusalBackoff.pause(after: isRecent ? last?.pause : nil)
    }
    if entry.refused.count >= limit { entry.refused = [:] }
    entry.refused[context] = RefusedToken(token, reason, pause: pause, now: now)
    entries[key] = entry
  }

  /// Whether a token that is always at hand was refused.
  func refusal(
    of token: AuthToken, for key: AuthorizationContext, _ context: AuthorizationContext
  ) -> RefusedToken? {
    guard !entries.isEmpty, let refusal = entries[key]?.refused[context] else { return nil }
    return refusal.value == token.value ? refusal : nil
  }

  // MARK: Memory

  /// Before an entry is added: drops what is of no use, and if that is too little, the tokens that
  /// expire first.
  private mutating func makeRoom(for key: AuthorizationContext, now: TokenTime) {
    guard entries[key] == nil, entries.count >= min(sweep, limit) else { return }
    entries = entries.filter { !$0.value.isIdle(now) }
    if entries.count >= limit {
      // About half of them.
      func lifetime(_ entry: Entry) -> Double { max(0, entry.kept?.lifetime(at: now) ?? 0) }
      let sum = entries.values.reduce(0) { $0 + lifetime($1) }
      let middle = sum / Double(entries.count)
      entries = entries.filter { $0.value.fetch != nil || lifetime($0.value) > middle }
    }
    sweep = max(64, 2 * entries.count)
  }
}

extension Double {
  /// "4 s": whole seconds, rounded up.
  var inSeconds: String { "\(Int64(rounded(.up))) s" }
}
