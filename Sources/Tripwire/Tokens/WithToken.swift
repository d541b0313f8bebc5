package import WireGRPC
package import WireGRPCClient
package import WireIO

/// One attempt of a call that needs a token.
package struct AuthorizedAttempt: Sendable {
  /// The options of the call, with the token.
  package var options: CallOptions
  /// The number of earlier attempts, with a token that the server refused.
  var earlierAttempts = 0
  /// The error if there is no token. The channel then fails the call unsent, and its interceptors are
  /// notified.
  package var refusal: CallError?

  /// Sends the bytes of one message with the options of this attempt.
  package func send(
    _ message: [UInt8], to path: String, on channel: Channel
  ) async throws(CallError) -> RawResponse {
    var response = try await channel.unary(path: path, message, options: options, refusal: refusal)
    response.attempts += earlierAttempts
    return response
  }
}

/// Makes a call with a token, and once more with another token if the server refuses the first.
///
///     try await withToken(of: tokens, on: channel, for: context, options) { attempt throws(CallError) in
///       try await attempt.send(message, to: path, on: channel)
///     }
///
/// - Parameters:
///   - tokens: nil makes the call without a token.
///   - channel: its loop limits the wait for tokens.
///   - options: the timeout includes the wait for tokens. If the metadata has an `authorization`, no
///     token is added.
///   - attempt: makes one attempt; throws the server's error.
/// - Throws: the error of the last attempt; CANCELLED if the task is canceled while it waits for the
///   second token; if there is no second token, the first refusal with the reason.
package func withToken<Response>(
  of tokens: TokenCache?, on channel: Channel, for context: AuthorizationContext,
  _ options: CallOptions,
  _ attempt: (AuthorizedAttempt) async throws(CallError) -> Response
) async throws(CallError) -> Response {
  var first = AuthorizedAttempt(options: options)
  guard let tokens, options.metadata[all: "authorization"].isEmpty else {
    return try await attempt(first)
  }
  let deadline = Timeout.deadline(options.timeout, from: channel.loop.now)
  let token: AuthToken
  do throws(CallError) {
    // An available token needs no wait.
    if let current = try? tokens.current(for: context) {
      token = current
    } else {
      token = try await tokens.token(for: context, until: deadline, on: channel.loop)
      first.options.timeout = deadline.map { $0 - channel.loop.now }
    }
  } catch {
    first.refusal = error
    return try await attempt(first)
  }
  tokens.willSend?(token, context)
  first.options.metadata.authorize(with: token)

  let refusal: CallError
  do throws(CallError) {
    return try await attempt(first)
  } catch {
    guard error.isRefusalOfToken else { throw error }
    refusal = error
  }
  return try await withOtherToken(
    after: refusal, of: token, from: tokens, on: channel, for: context, options, until: deadline,
    attempt)
}

/// Makes a call once more, with another token, after the server refused one.
///
/// - Parameters:
///   - refusal: the error of the first attempt.
///   - options: without a token. The timeout is ignored.
///   - deadline: the end of the call with all its attempts.
func withOtherToken<Response>(
  after refusal: CallError, of token: AuthToken, from tokens: TokenCache, on channel: Channel,
  for context: AuthorizationContext, _ options: CallOptions,
  until deadline: ContinuousClock.Instant?,
  _ attempt: (AuthorizedAttempt) async throws(CallError) -> Response
) async throws(CallError) -> Response {
  tokens.refuse(token, because: refusal.message, for: context)
  let refusalTime = channel.loop.now
  let other: AuthToken
  do throws(CallError) {
    other = try await tokens.token(for: context, until: deadline, on: channel.loop)
  } catch {
    if error.code == .cancelled {
      throw error.following(refusal, after: channel.loop.now - refusalTime)
    }
    var refusal = refusal
    refusal.underlyingError = error.underlyingError
    if error.refusedToken == nil {
      refusal.message += " (no other token is available: \(error.message))"
    }
    throw refusal
  }
  guard other.value != token.value else { throw refusal }
  var second = AuthorizedAttempt(options: options, earlierAttempts: refusal.attempts)
  second.options.timeout = deadline.map { $0 - channel.loop.now }
  tokens.willSend?(other, context)
  second.options.metadata.authorize(with: other)
  let delay = channel.loop.now - refusalTime
  do throws(CallError) {
    return try await attempt(second)
  } catch {
    throw error.following(refusal, after: delay)
  }
}

extension TokenCache {
  /// Waits for a token until the deadline.
  ///
  /// - Throws: UNAUTHENTICATED with the provider's error, or UNAVAILABLE if that is a network error; the
  ///   provider's `CallError` as in gRFC A54; DEADLINE_EXCEEDED, or CANCELLED.
  package func token(
    for context: AuthorizationContext, until deadline: ContinuousClock.Instant?,
    on loop: EventLoop
  ) async throws(CallError) -> AuthToken {
    do throws(CallError) {
      return try await wait(until: deadline, on: loop, for: "the token provider") {
        do {
          return try await self.token(for: context)
        } catch let error
          where !(error is CallError || error is CancellationError || error.isOfTheNetwork)
        {
          var failure = CallError(code: .unauthenticated, message: "\(error)", origin: .local)
          failure.underlyingError = error
          throw failure
        }
      }
    } catch {
      // The provider of a refused token has not failed.
      guard let refusedToken = error.refusedToken else { throw error }
      var error = error
      error.message = refusedToken.description
      throw error
    }
  }
}

extension Metadata {
  /// Adds a token, which was checked when it was created or fetched, and its quota project, unless the caller set
  /// another.
  mutating func authorize(with token: AuthToken) {
    append(unchecked: "authorization", .text("Bearer " + token.value))
    if let id = token.quotaProjectID, self[all: "x-goog-user-project"].isEmpty {
      append(unchecked: "x-goog-user-project", .text(id))
    }
  }
}

extension CallError {
  /// Whether the server refused the token of the call.
  var isRefusalOfToken: Bool { code == .unauthenticated && origin == .server }

  /// The refused token that kept the call from being sent, or sent again; nil for other errors.
  package var refusedToken: TokenError? {
    guard let error = underlyingError as? TokenError, case .refused = error else { return nil }
    return error
  }

  /// Returns the error of a second attempt, with the first attempt added.
  fileprivate func following(_ refusal: CallError, after delay: Duration) -> CallError {
    var error = self
    let failure = FailedAttempt(
      code: refusal.code, message: refusal.message, peer: refusal.peer, delay: delay)
    error.earlierAttempts = refusal.earlierAttempts + [failure] + earlierAttempts
    error.attempts += refusal.attempts
    error.peer = peer ?? refusal.peer
    error.path = refusal.path
    return error
  }
}
