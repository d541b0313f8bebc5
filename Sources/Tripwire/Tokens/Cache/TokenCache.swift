import WireGRPCClient
import WireSystem

/// Caches the valid tokens of another provider, one for each context.
///
/// - The provider is asked once for a context, in its own task, however many calls wait. A canceled
///   call stops waiting. When no call is left, the provider's task is canceled.
/// - In the last fifth of a token's lifetime, at most 5 minutes before it expires (12 for tokens that
///   Google signs), the next call starts a fetch in the background. Until it succeeds, the old token is used.
/// - A token without a stated expiration, such as that of `gcloud auth print-access-token`, is kept
///   for 5 minutes. A token that has already expired is used only by the calls that wait for it. To
///   be asked for every call, a provider returns `AuthToken(value, expiration: 0)`.
/// - If there is no token and the provider fails, calls in the next two seconds get the same error
///   without asking the provider. Repeated failures extend this to four, eight and ten seconds.
/// - A token is also renewed if the wall clock is set back so far that `iat` is more than 10
///   minutes in the future, the limit of Fleet Engine. Lifetimes are also measured with a monotonic
///   clock.
/// - If the server refuses a token with UNAUTHENTICATED, the provider is asked for another at once.
///   If it returns the same one, calls fail with
///   ``TokenError/refused(reason:retryAfter:isOnly:)`` without being sent. After 2, 4, 8 … 60 s the
///   provider is asked again. Then its token is sent, also if it is still the same.
/// - A refused ``FixedToken`` is sent again after 2, 4, 8 … 60 s. For a refused ``FileToken``, the
///   file is checked for every call: another token is used at once, and the same token is sent
///   again after these times.
///
/// Expired tokens are dropped. Above 65,536 tokens, those that expire first are dropped.
///
/// ``FleetServices`` puts a cache around every provider. Create one to share it among several
/// services.
public final class TokenCache: AuthTokenProvider {
  private let provider: any AuthTokenProvider
  private let immediate: (any ImmediateTokenProvider)?
  private let now: @Sendable () -> TokenTime
  private let report: @Sendable (TokenError) -> Void
  private let tokens: Locked<TokenCacheState>
  /// Called before a call with a token is sent.
  let willSend: (@Sendable (AuthToken, AuthorizationContext) -> Void)?

  /// Creates an empty cache of the tokens of a provider.
  public convenience init(_ provider: any AuthTokenProvider) {
    self.init(provider, report: { _ in })
  }

  /// - Parameters:
  ///   - limit: the maximum number of contexts.
  ///   - now: returns the time.
  ///   - willSend: called with each token before a call is sent with it.
  ///   - report: called with each ``TokenError/refused(reason:retryAfter:isOnly:)`` with which a
  ///     call fails.
  package init(
    _ provider: any AuthTokenProvider, limit: Int = 65_536,
    now: @escaping @Sendable () -> TokenTime = { TokenTime.now },
    willSend: (@Sendable (AuthToken, AuthorizationContext) -> Void)? = nil,
    report: @escaping @Sendable (TokenError) -> Void = { _ in }
  ) {
    self.provider = provider
    immediate = provider as? any ImmediateTokenProvider
    self.now = now
    self.report = report
    self.willSend = willSend
    tokens = Locked(TokenCacheState(limit: limit))
  }

  deinit {
    for task in tokens.withLock({ $0.fetches() }) { task.cancel() }
  }

  /// The number of contexts with a token or a fetch.
  var count: Int { tokens.withLock { $0.count } }

  func isFetching(_ context: AuthorizationContext) -> Bool { waiting(for: context) != nil }

  /// The number of callers that wait for a context's token; nil if it is not being fetched.
  func waiting(for context: AuthorizationContext) -> Int? {
    tokens.withLock { $0.waiting(for: provider.sharedContext(for: context)) }
  }

  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext {
    provider.sharedContext(for: context)
  }

  /// Returns the token if it is available without waiting, otherwise nil.
  func current(for context: AuthorizationContext) throws -> AuthToken? {
    if let immediate { return try admitted(immediate.immediateToken(for: context), context) }
    let key = provider.sharedContext(for: context)
    let now = now()
    let (token, fetch) = tokens.withLock { $0.use(key, for: context, now: now) }
    if let fetch { begin(fetch, context, key) }
    return token
  }

  /// Returns the cached token, or waits for the provider's.
  ///
  /// - Throws: the error of the provider; ``TokenError/refused(reason:retryAfter:isOnly:)`` if the server refused
  ///   its token.
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
    let waiter = TokenCacheState.Waiter()
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

  /// Prevents a token that the server refused with UNAUTHENTICATED from being sent for this
  /// context.
  ///
  /// - Parameter reason: the server's message.
  func refuse(
    _ token: AuthToken, because reason: String, for context: AuthorizationContext
  ) {
    let key = provider.sharedContext(for: context)
    let now = now()
    tokens.withLock { $0.refuse(token, because: reason, for: key, context, now: now) }
  }

  /// Returns a token that needs no fetch, unless the server refused it.
  private func admitted(_ token: AuthToken, _ context: AuthorizationContext) throws -> AuthToken {
    let key = provider.sharedContext(for: context)
    guard let immediate, let refusal = tokens.withLock({ $0.refusal(of: token, for: key, context) })
    else { return token }
    let wait = refusal.end - now().uptime
    guard wait > 0 else { return token }
    let reason = ", and " + immediate.reasonForNoOther
    throw immediate.isFixed
      ? refusal.error(
        "\(reason); retry in \(wait.inSeconds)", retryAfter: wait, isOnly: true)
      : refusal.error(reason, retryAfter: nil)
  }

  /// Cancels a fetch without waiting calls, unless it also serves other contexts.
  func stopRefreshing(_ context: AuthorizationContext) {
    let key = provider.sharedContext(for: context)
    guard key == context else { return }
    tokens.withLock { $0.stopRefreshing(key) }?.cancel()
  }

  // MARK: Fetches

  /// Asks the provider, in a detached task, because it may block.
  private func begin(_ fetch: UInt64, _ context: AuthorizationContext, _ key: AuthorizationContext)
  {
    let task = Task.detached { [provider, weak self] in
      let outcome: Result<AuthToken, any Error>
      do {
        let token = try await provider.token(for: context)
        try token.check()
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
  /// The type of the provider; never a token.
  public var description: String { "TokenCache(\(type(of: provider)))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
