package import WireGRPC
package import WireGRPCClient

/// A call that is made with a token, and once more with another if the server refuses that one.
///
///     var call = AuthorizedCall(options, tokens: tokens, on: channel, for: context)
///     while true {
///       do { return try await channel.unary(method, request, options: call.options) }
///       catch { try await call.retry(after: error) }
///     }
package struct AuthorizedCall {
  /// Those of the attempt that is to be made now.
  package private(set) var options: CallOptions
  private let given: CallOptions
  private let tokens: TokenCache?
  private let channel: Channel
  private let context: AuthorizationContext
  private let start = ContinuousClock.now
  private let sent: SentToken?
  /// What became of the first attempt, and how long the second waited for its token.
  private var refusal: (error: CallError, delay: Duration)?

  /// - Parameters:
  ///   - options: of the call, which keeps the `authorization` that it has.
  ///   - tokens: where its token comes from; nil makes it without.
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

  /// How many times it was sent before this attempt.
  package var earlierAttempts: Int { refusal?.error.attempts ?? 0 }

  /// Has `options` say how it is to be made once more: with another token, in the time that is left.
  ///
  /// - Parameters:
  ///   - error: what the attempt failed with.
  ///   - complete: adds to the options what the channel knows of the method.
  /// - Throws: what the call failed with at last, unless the server refused its token and there is
  ///   another: if none can be had, with the reason; or CANCELLED.
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

  /// A refused token says all there is to say: its provider has not failed.
  private static func plain(_ error: CallError) -> CallError {
    guard let refusedToken = error.refusedToken else { return error }
    var error = error
    error.message = refusedToken.description
    return error
  }

  /// What the call failed with at last, with what is known of it since before.
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
  /// Why the call was not sent, or not sent again, if that is since the server refused its token.
  package var refusedToken: TokenError? {
    guard let error = underlyingError as? TokenError, case .refused = error else { return nil }
    return error
  }
}
