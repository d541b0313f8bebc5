import Synchronization
import WireGRPCClient
import WireSystem

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
/// - A token is renewed, too, when the wall clock is set back so far that the token's `iat` lies more than
///   10 minutes in the future, which is what Fleet Engine allows. How long a token lasts is measured by a
///   clock that never steps, as well.
/// - When the server refuses a token with UNAUTHENTICATED, the provider is asked for another at once.
///   If it returns the same one, calls fail with ``TokenError/refused(reason:retryAfter:isOnly:)`` without being
///   sent, and the provider is asked again after 2, 4, 8 … 60 s. Another token is used at once. A provider
///   that returns the same token for five minutes has no other: it is sent once more.
/// - A ``FixedToken`` that was refused is sent again after 2, 4, 8 … 60 s. A ``FileToken`` is sent again
///   when the file changes.
///
/// Expired tokens are dropped; of more than 65,536 those that expire first.
///
/// ``FleetServices`` puts one around every provider: make one yourself to share it among several.
public final class TokenCache: AuthTokenProvider {
  private let provider: any AuthTokenProvider
  private let immediate: (any ImmediateTokenProvider)?
  private let now: @Sendable () -> TokenTime
  private let report: @Sendable (TokenError) -> Void
  private let tokens: Locked<KeptTokens>

  public convenience init(_ provider: any AuthTokenProvider) {
    self.init(provider, report: { _ in })
  }

  /// - Parameters:
  ///   - limit: how many tokens are kept at most.
  ///   - now: the time.
  ///   - report: called with each ``TokenError/refused(reason:retryAfter:isOnly:)`` that a call fails with.
  package init(
    _ provider: any AuthTokenProvider, limit: Int = 65_536,
    now: @escaping @Sendable () -> TokenTime = { TokenTime.now },
    report: @escaping @Sendable (TokenError) -> Void = { _ in }
  ) {
    self.provider = provider
    immediate = provider as? any ImmediateTokenProvider
    self.now = now
    self.report = report
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
    if let immediate { return try admitted(immediate.immediateToken(for: context), context) }
    let key = provider.sharedContext(for: context)
    let now = now()
    let (token, fetch) = tokens.withLock { $0.use(key, for: context, now: now) }
    if let fetch { begin(fetch, context, key) }
    return token
  }

  public func token(for context: AuthorizationContext) async throws -> AuthToken {
    do {
      return try await allowedToken(for: context)
    } catch let error as TokenError {
      if case .refused = error { report(error) }
      throw error
    }
  }

  private func allowedToken(for context: AuthorizationContext) async throws -> AuthToken {
    if let token = try current(for: context) { return token }
    let key = provider.sharedContext(for: context)
    let waiter = KeptTokens.Waiter()
    let now = now()
    if let fetch = tokens.withLock({ $0.wait(waiter, for: key, context, now: now) }) {
      begin(fetch, context, key)
    }
    return try await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      tokens.withLock { $0.leave(waiter, for: key) }?.cancel()
      waiter.end(.failure(CancellationError()))
    }.get()
  }

  /// Keeps a token that the server refused with UNAUTHENTICATED from being sent for this context.
  ///
  /// - Parameter reason: the server's message.
  package func refuse(
    _ token: AuthToken, because reason: String, for context: AuthorizationContext
  ) {
    let key = provider.sharedContext(for: context)
    let now = now()
    tokens.withLock {
      $0.refuse(
        token, because: reason, for: key, context, isOnly: immediate?.isFixed ?? false, now: now)
    }
  }

  /// A token that is always at hand, unless the server refused it.
  private func admitted(_ token: AuthToken, _ context: AuthorizationContext) throws -> AuthToken {
    let key = provider.sharedContext(for: context)
    guard let immediate, let refusal = tokens.withLock({ $0.refusal(of: token, for: key, context) })
    else { return token }
    let now = now()
    guard refusal.stands(at: now) else { return token }
    let wait = refusal.end - now.uptime
    let reason = ", and " + immediate.lackOfOthers
    throw immediate.isFixed
      ? refusal.error(
        "\(reason); retry in \(wait.inSeconds)", retryAfter: wait, isOnly: true)
      : refusal.error(reason, retryAfter: nil)
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
    for (waiter, outcome) in waiters { waiter.end(outcome) }
  }
}

extension TokenCache: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Does not show a token.
  public var description: String { "TokenCache(\(type(of: provider)))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
