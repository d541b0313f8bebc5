import Synchronization
import WireGRPC
import WireIO

/// Keeps the tokens of another provider, for each context one, as long as they are good.
///
/// - However many calls wait for the token of a context, the provider is asked once for it, in a task
///   of its own. A call that is cancelled waits no longer; when none is left, the provider's task is
///   cancelled.
/// - From 5 minutes before a token expires on, the first call has a new one fetched in the background;
///   until that comes, and if it does not, the old one is used. A token that lives no longer than
///   that is used until it expires.
/// - A token that does not say when it expires, as that of `gcloud auth print-access-token`, is taken to
///   last 5 minutes from when it was fetched. One that has expired when it comes is used, and not kept:
///   a provider that wants to be asked for every call says `AuthToken(value, expiration: 0)`.
/// - When there is no token and the provider fails, that is told to whoever asks in the next two
///   seconds, and if it fails again in the next four, eight, ten, without asking it: a call that comes
///   after that finds what was mended.
/// - When the server refuses a token with UNAUTHENTICATED, that token is dropped, once however many
///   calls it was refused to, and at most once a minute for each context.
///
/// Expired tokens are dropped; of more than 65,536 those that expire first.
///
/// ``FleetServices`` puts one around every provider: make one yourself to share it among several.
public final class TokenCache: AuthTokenProvider {
  private let provider: any AuthTokenProvider
  private let immediate: (any ImmediateTokenProvider)?
  private let now: @Sendable () -> Double
  private let tokens: Locked<KeptTokens>

  public convenience init(_ provider: any AuthTokenProvider) {
    self.init(provider, now: { WallTime.now })
  }

  /// - Parameters:
  ///   - limit: how many tokens are kept at most.
  ///   - now: the time in seconds since 1970.
  package init(
    _ provider: any AuthTokenProvider, limit: Int = 65_536, now: @escaping @Sendable () -> Double
  ) {
    self.provider = provider
    immediate = provider as? any ImmediateTokenProvider
    self.now = now
    tokens = Locked(KeptTokens(limit: limit))
  }

  deinit {
    for task in tokens.withLock({ $0.fetches() }) { task.cancel() }
  }

  /// How many contexts there is a token, or a fetch of one, for.
  var count: Int { tokens.withLock { $0.count } }

  func isFetching(_ context: AuthorizationContext) -> Bool { waiting(for: context) != nil }

  /// How many wait for a context's token; nil when it is not being fetched.
  func waiting(for context: AuthorizationContext) -> Int? {
    tokens.withLock { $0.waiting(for: provider.sharedContext(for: context)) }
  }

  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext {
    provider.sharedContext(for: context)
  }

  /// The token if it is at hand; nil when it has to be waited for.
  package func current(for context: AuthorizationContext) throws -> AuthToken? {
    if let immediate { return try immediate.immediateToken(for: context) }
    let key = provider.sharedContext(for: context)
    let now = now()
    let (token, fetch) = tokens.withLock { $0.use(key, now: now) }
    if let fetch { begin(fetch, context, key) }
    return token
  }

  public func token(for context: AuthorizationContext) async throws -> AuthToken {
    if let token = try current(for: context) { return token }
    let key = provider.sharedContext(for: context)
    let waiter = KeptTokens.Waiter()
    let now = now()
    if let fetch = tokens.withLock({ $0.wait(waiter, for: key, now: now) }) {
      begin(fetch, context, key)
    }
    return try await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      tokens.withLock { $0.leave(waiter, for: key) }?.cancel()
      waiter.end(.failure(CancellationError()))
    }.get()
  }

  /// Another token than the one that the server has refused; nil when there is none, or not yet.
  package func replacement(
    for refused: AuthToken, _ context: AuthorizationContext
  ) async throws -> AuthToken? {
    let key = provider.sharedContext(for: context)
    let now = now()
    guard immediate != nil || tokens.withLock({ $0.drop(refused, for: key, now: now) }) else {
      return nil
    }
    let token = try await token(for: context)
    return token.value == refused.value ? nil : token
  }

  /// Ends a fetch for which no call waits, unless it is for other contexts, too.
  package func stopRefreshing(_ context: AuthorizationContext) {
    let key = provider.sharedContext(for: context)
    guard key == context else { return }
    tokens.withLock { $0.stopRefreshing(key) }?.cancel()
  }

  // MARK: Fetches

  /// Asks the provider, off the caller's executor: what it does is not ours to know.
  private func begin(_ fetch: UInt64, _ context: AuthorizationContext, _ key: AuthorizationContext)
  {
    let task = Task.detached { [provider, weak self] in
      let outcome: Result<AuthToken, any Error>
      do {
        let token = try await provider.token(for: context)
        try TokenError.check(token.value)
        outcome = .success(token)
      } catch {
        outcome = .failure(error)
      }
      self?.end(fetch, key, outcome)
    }
    let isWanted = tokens.withLock { $0.begun(fetch, task, for: key) }
    if !isWanted { task.cancel() }
  }

  private func end(
    _ fetch: UInt64, _ key: AuthorizationContext, _ outcome: Result<AuthToken, any Error>
  ) {
    let now = now()
    let waiters = tokens.withLock { $0.end(fetch, outcome, for: key, now: now) }
    for waiter in waiters { waiter.end(outcome) }
  }
}

extension TokenCache: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Does not show a token.
  public var description: String { "TokenCache(\(type(of: provider)))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
