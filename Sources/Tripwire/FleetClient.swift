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
    options.metadata = try requestMetadata(
      method, request, resourceName: context.resourceName, own: options.metadata)
    guard let tokens else {
      return try await channel.unary(method, request, options: options)
    }
    let start = ContinuousClock.now
    var authorized = options
    let sent = tokens.authorize(&authorized, on: channel, for: context)
    do throws(CallError) {
      return try await channel.unary(method, request, options: authorized)
    } catch {
      guard error.code == .unauthenticated, error.origin == .server, let refused = sent.token else {
        throw error
      }
      options = channel.complete(options, for: method)
      let deadline = Timeout.deadline(options.timeout, from: start)
      let end = ContinuousClock.now
      guard let token = try await replacement(for: refused, context, after: error, until: deadline)
      else { throw error }
      options.timeout = deadline.map { $0 - .now }
      tokens.authorize(&options, on: channel, for: context, with: token)
      return try await again(method, request, options, after: error, delay: .now - end)
    }
  }

  /// Another token than the one that the server refused; nil when there is none.
  ///
  /// - Throws: the refusal, with why there is no other token, or CANCELLED.
  private func replacement(
    for refused: AuthToken, _ context: AuthorizationContext, after refusal: CallError,
    until deadline: ContinuousClock.Instant?
  ) async throws(CallError) -> AuthToken? {
    let end = ContinuousClock.now
    do throws(CallError) {
      return try await wait(until: deadline, for: TokenInterceptor.who) { [tokens] in
        try await tokens?.replacement(for: refused, context)
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
  }

  /// The call once more, as a further attempt of the one that the server refused.
  private func again<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions,
    after refusal: CallError, delay: Duration
  ) async throws(CallError) -> CallResponse<Response> {
    do throws(CallError) {
      var response = try await channel.unary(method, request, options: options)
      response.attempts += refusal.attempts
      return response
    } catch {
      throw Self.complete(error, after: refusal, delay: delay)
    }
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
