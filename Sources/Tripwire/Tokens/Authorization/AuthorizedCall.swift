package import WireGRPC
package import WireGRPCClient

/// A call with a token. If the server refuses the token, the call is retried once with another.
///
///     var call = AuthorizedCall(options, tokens: tokens, on: channel, for: context)
///     while true {
///       do { return try await channel.unary(method, request, options: call.options) }
///       catch { try await call.retry(after: error) }
///     }
package struct AuthorizedCall {
  /// The options for the next attempt.
  package private(set) var options: CallOptions
  private let given: CallOptions
  private let tokens: TokenCache?
  private let channel: Channel
  private let context: AuthorizationContext
  private let start = ContinuousClock.now
  private let sent: SentToken?
  /// The error of the first attempt, and how long the second waited for its token.
  private var refusal: (error: CallError, delay: Duration)?

  /// - Parameters:
  ///   - options: the options of the call. An `authorization` in them takes precedence.
  ///   - tokens: the source of the token; nil makes the call without a token.
  package init(
    _ options: CallOptions, tokens: TokenCache?, on channel: Channel,
    for context: AuthorizationContext
  ) {
    given = options
    self.options = options
    self.tokens = tokens
    self.channel = channel
    self.context = context
    sent = tokens?.authorize(&self.options, on: channel, for: context)
  }

  /// The number of attempts before the present one.
  package var earlierAttempts: Int { refusal?.error.attempts ?? 0 }

  /// Prepares `options` for a retry with another token in the remaining time.
  ///
  /// - Parameters:
  ///   - error: the error of the attempt.
  ///   - complete: adds the channel's settings for the method to the options.
  /// - Throws: the final error of the call, unless the server refused its token and another one is
  ///   available. If none is available, the error contains the reason. CANCELLED if the task is
  ///   canceled.
  package mutating func retry(
    after error: CallError, _ complete: (CallOptions) -> CallOptions = { $0 }
  ) async throws(CallError) {
    if let refusal { throw Self.complete(error, after: refusal.error, delay: refusal.delay) }
    guard let tokens, error.code == .unauthenticated else { throw error }
    guard error.origin == .server, let refused = sent?.token else { throw Self.plain(error) }
    tokens.refuse(refused, because: error.message, for: context)
    var options = complete(given)
    let deadline = Timeout.deadline(options.timeout, from: start)
    let end = ContinuousClock.now
    let token: AuthToken
    do throws(CallError) {
      token = try await wait(until: deadline, on: channel.loop, for: TokenInterceptor.who) {
        [context] in
        try await tokens.token(for: context)
      }
    } catch let failure {
      if failure.code == .cancelled {
        throw Self.complete(failure, after: error, delay: .now - end)
      }
      var refusal = error
      refusal.underlyingError = failure.underlyingError
      if failure.refusedToken == nil {
        refusal.message += " (no other token is available: \(failure.message))"
      }
      throw refusal
    }
    guard token.value != refused.value else { throw error }
    refusal = (error, .now - end)
    options.timeout = deadline.map { $0 - .now }
    tokens.authorize(&options, on: channel, for: context, with: token)
    self.options = options
  }

  /// For a refused token, uses its description alone as the message: the provider did not fail.
  private static func plain(_ error: CallError) -> CallError {
    guard let refusedToken = error.refusedToken else { return error }
    var error = error
    error.message = refusedToken.description
    return error
  }

  /// Adds the first attempt to the final error of the call.
  private static func complete(
    _ error: CallError, after refusal: CallError, delay: Duration
  ) -> CallError {
    var error = error
    let failure = FailedAttempt(
      code: refusal.code, message: refusal.message, peer: refusal.peer, delay: delay)
    error.earlierAttempts = refusal.earlierAttempts + [failure] + error.earlierAttempts
    error.attempts += refusal.attempts
    error.peer = error.peer ?? refusal.peer
    error.path = refusal.path
    return error
  }
}

extension CallError {
  /// The token error, if the call was not sent, or not sent again, because the server refused its
  /// token.
  package var refusedToken: TokenError? {
    guard let error = underlyingError as? TokenError, case .refused = error else { return nil }
    return error
  }
}
