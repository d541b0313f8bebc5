import WireGRPCClient

/// The state of the cache: tokens, running fetches, their waiters and refused tokens.
struct TokenCacheState {
  typealias Waiter = FirstResult<Result<AuthToken, any Error>>

  /// How long after a failed refresh the next one may start, in seconds.
  static let pause = 10.0
  /// How long the first failure of a fetch is reported without a new fetch, in seconds. Each
  /// further failure doubles the time, up to `pause`.
  static let firstPause = 2.0

  /// The token for one key, and its refusals.
  private struct Entry {
    var kept: CachedToken?
    /// The uptime before which the token is not renewed, because the last renewal failed.
    var nextRenewal = -Double.infinity
    var fetch: Fetch?
    /// The error of the last fetch.
    var failure: Failure?
    /// The refused tokens by the context of the refused call: a token that is valid for one trip
    /// may be refused for another.
    var refused: [AuthorizationContext: RefusedToken] = [:]
    var backoff: RefusalBackoff?

    /// Returns the token if it may be sent.
    func token(for context: AuthorizationContext, _ now: TokenTime) -> AuthToken? {
      guard let kept, kept.isValid(at: now), !isRefused(kept.token, for: context) else {
        return nil
      }
      return kept.token
    }

    func isRefused(_ token: AuthToken, for context: AuthorizationContext) -> Bool {
      guard !refused.isEmpty, let refusal = refused[context] else { return false }
      return refusal.value == token.value && !refusal.isReleased
    }

    /// Returns the error while the source may not be asked for another token yet; nil otherwise.
    func refusal(for context: AuthorizationContext, _ now: TokenTime) -> TokenError? {
      guard let backoff, now.uptime < backoff.next, let refusal = refused[context],
        !refusal.isReleased
      else { return nil }
      let wait = backoff.next - now.uptime
      return refusal.error(
        backoff.isSameToken
          ? ", and the token provider returned the same token again; retry in \(wait.inSeconds)"
          : "; retry with another token in \(wait.inSeconds)", retryAfter: wait)
    }

    func isIdle(_ now: TokenTime) -> Bool {
      fetch == nil && kept?.isValid(at: now) != true && (failure?.end ?? now.uptime) <= now.uptime
        && refused.values.allSatisfy { $0.end <= now.uptime } && backoff?.isOver(at: now) != false
    }

    /// Updates the refused tokens after the source has returned a token. If it returned the same token again after the
    /// delay, that token may be sent again.
    mutating func updateRefusals(_ token: AuthToken, _ now: TokenTime) {
      guard !refused.isEmpty else { return }
      let next = backoff?.next ?? .infinity
      refused = refused.filter { $0.value.value == token.value }.mapValues { refusal in
        var refusal = refusal
        refusal.isReleased = refusal.time < next && next <= now.uptime
        return refusal
      }
      backoff = RefusalBackoff(after: backoff, isSameToken: !refused.isEmpty, now: now)
    }

    var isEmpty: Bool {
      fetch == nil && kept == nil && failure == nil && refused.isEmpty && backoff == nil
    }
  }

  /// A failed fetch. Until its end, callers get the error without a new fetch.
  private struct Failure {
    let error: any Error
    let pause: Double
    /// The end in seconds of uptime.
    let end: Double

    init(_ error: any Error, after last: Failure?, now: TokenTime) {
      self.error = error
      pause = last.map { min(2 * $0.pause, TokenCacheState.pause) } ?? TokenCacheState.firstPause
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
  /// The number of entries at which unused entries are removed.
  private var sweep = 64
  private var lastFetch: UInt64 = 0

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { entries.count }

  /// The number of callers that wait for a token that is being fetched.
  func waiting(for key: AuthorizationContext) -> Int? { entries[key]?.fetch?.waiters.count }

  func fetches() -> [Task<Void, Never>] { entries.values.compactMap(\.fetch?.task) }

  /// Returns the token if it may be sent, and the ID of a fetch that the caller must start, if any.
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

  /// Adds a waiter for the token. It ends at once if there is a token, the last fetch has just
  /// failed, or it is too early to ask for another than a refused token. Returns the ID of a fetch
  /// that the caller must start, if any.
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

  /// Stores the task of a fetch. Returns false if the fetch is no longer needed.
  mutating func begun(
    _ fetch: UInt64, _ task: Task<Void, Never>, for key: AuthorizationContext
  ) -> Bool {
    guard entries[key]?.fetch?.id == fetch else { return false }
    entries[key]?.fetch?.task = task
    return true
  }

  /// Removes a waiter. Returns the task of the fetch if no other waiter is left.
  mutating func leave(_ waiter: Waiter, for key: AuthorizationContext) -> Task<Void, Never>? {
    guard
      entries[key]?.fetch?.waiters.removeValue(forKey: ObjectIdentifier(waiter)) != nil
    else { return nil }
    return stopRefreshing(key)
  }

  /// Drops a fetch without waiters and returns its task.
  mutating func stopRefreshing(_ key: AuthorizationContext) -> Task<Void, Never>? {
    guard let fetch = entries[key]?.fetch, fetch.waiters.isEmpty else { return nil }
    entries[key]?.fetch = nil
    if entries[key]?.isEmpty == true { entries[key] = nil }
    return fetch.task
  }

  /// Stores the outcome of a fetch. Returns its waiters with their results; none if the fetch is no
  /// longer needed.
  mutating func end(
    _ fetch: UInt64, _ outcome: Result<AuthToken, any Error>, for key: AuthorizationContext,
    now: TokenTime
  ) -> [(Waiter, Result<AuthToken, any Error>)] {
    guard var entry = entries[key], let ended = entry.fetch, ended.id == fetch else { return [] }
    entry.fetch = nil
    switch outcome {
    case .success(let token):
      entry.failure = nil
      entry.kept = CachedToken(token, at: now)
      entry.nextRenewal = -.infinity
      entry.updateRefusals(token, now)
    case .failure(let error):
      entry.failure = Failure(error, after: entry.failure, now: now)
      entry.nextRenewal = now.uptime + Self.pause
    }
    entries[key] = entry.isIdle(now) ? nil : entry
    return ended.waiters.values.map { waiter, context in
      (
        waiter,
        outcome.flatMap { token in
          guard entry.isRefused(token, for: context),
            let refusal = entry.refusal(for: context, now)
          else { return .success(token) }
          return .failure(refusal)
        }
      )
    }
  }

  // MARK: Refused tokens

  /// Stores that the server refused a token, unless there already is another.
  mutating func refuse(
    _ token: AuthToken, because reason: String, for key: AuthorizationContext,
    _ context: AuthorizationContext, now: TokenTime
  ) {
    makeRoom(for: key, now: now)
    var entry = entries[key] ?? Entry()
    if let kept = entry.kept, kept.token.value != token.value, kept.isValid(at: now) { return }
    let last = entry.refused[context].flatMap { $0.value == token.value ? $0 : nil }
    // Several calls may have used the token at the same time.
    if let last, !last.isReleased, now.uptime < last.end { return }
    if entry.backoff?.isOver(at: now) == true { entry.backoff = nil }
    if entry.refused.count >= limit { entry.refused = [:] }
    entry.refused[context] = RefusedToken(token, reason, after: last, now: now)
    entries[key] = entry
  }

  /// Returns the refusal of a token that needs no fetch, if there is one.
  func refusal(
    of token: AuthToken, for key: AuthorizationContext, _ context: AuthorizationContext
  ) -> RefusedToken? {
    guard !entries.isEmpty, let refusal = entries[key]?.refused[context] else { return nil }
    return refusal.value == token.value ? refusal : nil
  }

  // MARK: Memory

  /// Removes unused entries before one is added; if that is not enough, also the tokens that expire
  /// first.
  private mutating func makeRoom(for key: AuthorizationContext, now: TokenTime) {
    guard entries[key] == nil, entries.count >= min(sweep, limit) else { return }
    entries = entries.filter { !$0.value.isIdle(now) }
    if entries.count >= limit {
      // Removes about half of them.
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
