import WireGRPC

/// Which tokens there are, which are being fetched, and who waits for them. Times are in seconds
/// since 1970.
struct KeptTokens {
  typealias Waiter = Race<Result<AuthToken, any Error>>

  /// How long before it expires a token is fetched anew.
  static let margin = 300.0
  /// How long one is kept that does not say how long it is good.
  static let unstatedLifetime = 300.0
  /// How long after a refresh that failed the next is tried.
  static let pause = 10.0
  /// For how long a failure stands when it is the first: each that follows stands twice as long, up to
  /// `pause`.
  static let firstPause = 2.0
  /// A context's token is replaced at most once in this time because the server refused it.
  static let replacementInterval = 60.0

  /// What there is for one context.
  private struct Entry {
    var token: AuthToken?
    /// When the token is no longer good.
    var expiration = -Double.infinity
    /// From when on it is fetched anew.
    var refresh = -Double.infinity
    var fetch: Fetch?
    /// When the server's refusal last had it dropped.
    var replacement = -Double.infinity
    /// What the last fetch failed with.
    var failure: Failure?

    func isIdle(_ now: Double) -> Bool {
      fetch == nil && expiration <= now && replacement + KeptTokens.replacementInterval <= now
        && (failure?.end ?? now) <= now
    }
  }

  /// Who comes before its end is told of it instead of asking again.
  private struct Failure {
    let error: any Error
    let pause: Double
    let end: Double

    init(_ error: any Error, after last: Failure?, now: Double) {
      self.error = error
      pause = last.map { min(2 * $0.pause, KeptTokens.pause) } ?? KeptTokens.firstPause
      end = now + pause
    }
  }

  private struct Fetch {
    let id: UInt64
    var task: Task<Void, Never>?
    var waiters: [ObjectIdentifier: Waiter] = [:]
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

  /// The token if it is good, and the fetch that is to begin now, if one is.
  mutating func use(
    _ key: AuthorizationContext, now: Double
  ) -> (token: AuthToken?, fetch: UInt64?) {
    guard let entry = entries[key], let token = entry.token, entry.expiration > now else {
      return (nil, nil)
    }
    guard entry.refresh <= now, entry.fetch == nil else { return (token, nil) }
    return (token, newFetch(for: key))
  }

  /// Has somebody wait for the token, unless it is there, or the last fetch has just failed. Returns
  /// the fetch that is to begin now.
  mutating func wait(
    _ waiter: Waiter, for key: AuthorizationContext, now: Double
  ) -> UInt64? {
    if let entry = entries[key], let token = entry.token, entry.expiration > now {
      waiter.end(.success(token))
      return nil
    }
    if let failure = entries[key]?.failure, failure.end > now, failure.end - now <= failure.pause,
      entries[key]?.fetch == nil
    {
      waiter.end(.failure(failure.error))
      return nil
    }
    if entries.count >= min(sweep, limit) { makeRoom(now: now) }
    let id = entries[key]?.fetch == nil ? newFetch(for: key) : nil
    entries[key]?.fetch?.waiters[ObjectIdentifier(waiter)] = waiter
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
    if entries[key]?.isIdle(-.infinity) == true { entries[key] = nil }
    return fetch.task
  }

  /// What a fetch came to. Returns who waits for it; nobody if it is no longer wanted.
  mutating func end(
    _ fetch: UInt64, _ outcome: Result<AuthToken, any Error>, for key: AuthorizationContext,
    now: Double
  ) -> [Waiter] {
    guard var entry = entries[key], let ended = entry.fetch, ended.id == fetch else { return [] }
    entry.fetch = nil
    switch outcome {
    case .success(let token):
      entry.failure = nil
      entry.token = token
      entry.expiration = token.expiration ?? now + Self.unstatedLifetime
      let early = entry.expiration - Self.margin
      entry.refresh = early > now ? early : entry.expiration
    case .failure(let error):
      entry.failure = Failure(error, after: entry.failure, now: now)
      entry.refresh = now + Self.pause
    }
    entries[key] = entry.isIdle(now) ? nil : entry
    return Array(ended.waiters.values)
  }

  /// Drops the token that the server refused. Returns whether to ask for another: not soon after the
  /// last time.
  mutating func drop(_ refused: AuthToken, for key: AuthorizationContext, now: Double) -> Bool {
    if let entry = entries[key], entry.token?.value != refused.value { return true }
    var entry = entries[key] ?? Entry()
    guard entry.replacement + Self.replacementInterval <= now else { return false }
    entry.token = nil
    entry.expiration = -.infinity
    entry.replacement = now
    entries[key] = entry
    return true
  }

  /// Drops what is of no use, and if that is too little, the tokens that expire first.
  private mutating func makeRoom(now: Double) {
    entries = entries.filter { !$0.value.isIdle(now) }
    if entries.count >= limit {
      // About half of them.
      let sum = entries.values.reduce(0) { $0 + max(now, $1.expiration) }
      let middle = sum / Double(entries.count)
      entries = entries.filter { $0.value.fetch != nil || $0.value.expiration > middle }
    }
    sweep = max(64, 2 * entries.count)
  }
}
