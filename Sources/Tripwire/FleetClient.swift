import WireGRPC
import WireGRPCClient
import WireProtobuf

/// Makes a call with a token and the routing headers of Fleet Engine.
struct FleetClient: Sendable {
  /// Nil if the resources come from a source: there is no server to call.
  let channel: Channel?
  let tokens: TokenCache?
  /// The headers of calls without a task.
  let headers = LastHeaders()

  init(channel: Channel?, tokenProvider: (any AuthTokenProvider)?) {
    self.channel = channel
    tokens = tokenProvider.map { $0 as? TokenCache ?? TokenCache($0) }
  }

  func call<Request: AuthorizedRequest, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
  ) async throws(CallError) -> CallResponse<Response> {
    try await rawCall(method, request, for: request.authorizationContext, options).decode()
  }

  /// Makes a call and returns its response, not decoded yet.
  func rawCall<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    for context: AuthorizationContext, _ options: CallOptions
  ) async throws(CallError) -> RawResponse {
    guard let channel else {
      throw CallError(
        code: .failedPrecondition,
        message:
          "these FleetServices receive trips from a source and call no server; make calls with"
          + " FleetServices(providerID:tokenProvider:)",
        origin: .local, path: method.path)
    }
    var options = channel.complete(options, for: method)
    options.metadata = RequestRoute(method, request, resourceName: context.resourceName)
      .metadata(own: options.metadata)
    if let refusal = method.refusal(of: .unary) { throw refusal }
    return try await send(
      request.serializedBytes(), to: method.path, on: channel, for: context, options)
  }

  /// Sends a message with a token. It is not generic, so that its code exists once and not for each
  /// method.
  private func send(
    _ message: [UInt8], to path: String, on channel: Channel, for context: AuthorizationContext,
    _ options: CallOptions
  ) async throws(CallError) -> RawResponse {
    try await withToken(of: tokens, on: channel, for: context, options) {
      attempt throws(CallError) in
      try await attempt.send(message, to: path, on: channel)
    }
  }
}
