import WireGRPC

/// Makes a call as Fleet Engine wants it: with a token and the headers that route it.
struct FleetClient: Sendable {
  let channel: Channel
  let tokenProvider: (any AuthTokenProvider)?

  func call<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    for context: AuthorizationContext, _ options: CallOptions
  ) async throws(CallError) -> CallResponse<Response> {
    var options = options
    options.metadata = try requestMetadata(
      method, request, resourceName: context.resourceName, own: options.metadata)
    if let tokenProvider {
      options.interceptors.append(TokenInterceptor(provider: tokenProvider, context: context))
    }
    return try await channel.unary(method, request, options: options)
  }
}

/// Gives a call its token, unless it has one.
struct TokenInterceptor: ClientInterceptor {
  let provider: any AuthTokenProvider
  let context: AuthorizationContext

  var name: String { "the token provider" }

  func start(_ call: inout StartingCall) async throws {
    guard call.metadata["authorization"] == nil else { return }
    do {
      let token = try await provider.token(for: context)
      try TokenError.check(token)
      try call.metadata.append("authorization", "Bearer " + token)
    } catch let error where !(error is CallError || error is CancellationError) {
      var failure = CallError(code: .unauthenticated, message: "\(error)", origin: .local)
      failure.underlyingError = error
      throw failure
    }
  }
}
