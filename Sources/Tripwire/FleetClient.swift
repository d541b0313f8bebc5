/// Makes a call as Fleet Engine wants it: with a token and the headers that route it.
struct FleetClient: Sendable {
  let channel: Channel
  let tokenProvider: (any AuthTokenProvider)?

  func call<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    for context: AuthorizationContext, _ options: CallOptions
  ) async throws(CallError) -> CallResponse<Response> {
    let start = ContinuousClock.now
    let token =
      options.metadata["authorization"] == nil ? try await token(for: context, method) : nil
    var options = options
    options.metadata = try requestMetadata(
      method, request, resourceName: context.resourceName, token: token, own: options.metadata)
    // The time that the token took is the call's, too.
    options.timeout = (options.timeout ?? method.timeout).map { $0 - (.now - start) }
    return try await channel.unary(method, request, options: options)
  }

  /// A provider may throw anything, even an error that looks like an answer of the server's: all
  /// of it is UNAUTHENTICATED (gRFC A54).
  private func token<Request, Response>(
    for context: AuthorizationContext, _ method: MethodDescriptor<Request, Response>
  ) async throws(CallError) -> String? {
    guard let tokenProvider else { return nil }
    do {
      let token = try await tokenProvider.token(for: context)
      try TokenError.check(token)
      return token
    } catch {
      let isCancelled = error is CancellationError || Task.isCancelled
      throw CallError(
        code: isCancelled ? .cancelled : .unauthenticated,
        message: isCancelled ? "cancelled while waiting for a token" : "no token: \(error)",
        origin: .local, path: method.path)
    }
  }
}
