import WireGRPC

/// Makes a call as Fleet Engine wants it: with a token and the headers that route it.
struct FleetClient: Sendable {
  let channel: Channel
  let tokenProvider: (any AuthTokenProvider)?

  func call<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    for context: AuthorizationContext, _ options: CallOptions
  ) async throws(CallError) -> CallResponse<Response> {
    let start = ContinuousClock.now
    var options = channel.complete(options, for: method)
    let token: String?
    do throws(CallError) {
      token =
        options.metadata["authorization"] == nil
        ? try await self.token(for: context, until: options.timeout.map { start + $0 }) : nil
    } catch {
      var error = error
      error.path = method.path
      throw error
    }
    options.metadata = try requestMetadata(
      method, request, resourceName: context.resourceName, token: token, own: options.metadata)
    // The time that the token took is the call's, too.
    options.timeout = options.timeout.map { $0 - (.now - start) }
    return try await channel.unary(method, request, options: options)
  }

  /// A provider may throw anything, even an error that looks like an answer of the server's.
  private func token(
    for context: AuthorizationContext, until deadline: ContinuousClock.Instant?
  ) async throws(CallError) -> String? {
    guard let tokenProvider else { return nil }
    return try await wait(
      until: deadline, for: "the token provider", otherwise: .unauthenticated
    ) {
      let token = try await tokenProvider.token(for: context)
      try TokenError.check(token)
      return token
    }
  }
}
