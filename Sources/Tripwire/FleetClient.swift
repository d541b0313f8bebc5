import WireGRPC

/// Makes a call as Fleet Engine wants it: with a token and the headers that route it.
struct FleetClient: Sendable {
  let channel: Channel
  let tokens: TokenCache?

  init(channel: Channel, tokenProvider: (any AuthTokenProvider)?) {
    self.channel = channel
    tokens = tokenProvider.map { $0 as? TokenCache ?? TokenCache($0) }
  }

  func call<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    for context: AuthorizationContext, _ options: CallOptions
  ) async throws(CallError) -> CallResponse<Response> {
    var options = options
    options.metadata = requestMetadata(
      method, request, resourceName: context.resourceName, own: options.metadata)
    let start = ContinuousClock.now
    var sent: SentToken?
    var attempt = options
    if let tokens { sent = tokens.authorize(&attempt, on: channel, for: context) }
    var refusal: (error: CallError, delay: Duration)?
    while true {
      do throws(CallError) {
        var response = try await channel.unary(method, request, options: attempt)
        if let refusal { response.attempts += refusal.error.attempts }
        return response
      } catch {
        if let refusal {
          throw Self.complete(error, after: refusal.error, delay: refusal.delay)
        }
        let end = ContinuousClock.now
        attempt = channel.complete(options, for: method)
        guard try await replace(sent, in: &attempt, context, after: error, since: start) else {
          throw error
        }
        refusal = (error, .now - end)
      }
    }
  }

  /// Gives a call another token than the one that the server has refused, and the time that is left.
  /// Returns whether there is one.
  ///
  /// - Throws: the refusal, with why there is no other token, or CANCELLED.
  private func replace(
    _ sent: SentToken?, in options: inout CallOptions, _ context: AuthorizationContext,
    after refusal: CallError, since start: ContinuousClock.Instant
  ) async throws(CallError) -> Bool {
    guard let tokens, refusal.code == .unauthenticated, refusal.origin == .server,
      let refused = sent?.token
    else { return false }
    let deadline = Timeout.deadline(options.timeout, from: start)
    let end = ContinuousClock.now
    let token: AuthToken?
    do throws(CallError) {
      token = try await wait(until: deadline, for: TokenInterceptor.who) {
        try await tokens.replacement(for: refused, context)
      }
    } catch {
      if error.code == .cancelled {
        throw Self.complete(error, after: refusal, delay: .now - end)
      }
      var refusal = refusal
      refusal.underlyingError = error.underlyingError
      refusal.message += " (and there is no other token: \(error.message))"
      throw refusal
    }
    guard let token else { return false }
    options.timeout = deadline.map { $0 - .now }
    tokens.authorize(&options, on: channel, for: context, with: token)
    return true
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
