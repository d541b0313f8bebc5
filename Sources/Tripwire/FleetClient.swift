import WireGRPC
import WireGRPCClient

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
    try await answer(method, request, for: context, options).read()
  }

  /// The same, with the answer yet to be read.
  func answer<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    for context: AuthorizationContext, _ options: CallOptions
  ) async throws(CallError) -> UnreadResponse<Response> {
    var options = options
    options.metadata = requestMetadata(
      method, request, resourceName: context.resourceName, own: options.metadata)
    var call = AuthorizedCall(options, tokens: tokens, on: channel, for: context)
    while true {
      do throws(CallError) {
        var answer = try await channel.answer(method, request, options: call.options)
        answer.attempts += call.earlierAttempts
        return answer
      } catch {
        try await call.retry(after: error) { channel.complete($0, for: method) }
      }
    }
  }
}
