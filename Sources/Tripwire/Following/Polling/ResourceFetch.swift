import WireGRPC

/// Requests a resource from the server.
struct ResourceFetch<Resource: FollowedResource>: Sendable {
  /// Decodes the response, or throws the error of the call. A closure, because a resource would take more
  /// than a kilobyte in the frame of each function that awaits it.
  typealias Decode = @Sendable () throws(CallError) -> Resource

  /// A response that is not decoded yet.
  struct Answer: Sendable {
    /// Computes the fingerprint of the request and the response; nil if the response must be decoded.
    var exchange: (@Sendable () -> ExchangeFingerprint)?
    /// Called instead of ``decode`` if the response is not needed.
    var skip: @Sendable () -> Void = {}
    let decode: Decode
  }

  /// The beginning of a request.
  enum Start: Sendable {
    /// A call is in flight, and its result will be reported.
    case calling(cancel: @Sendable () -> Void)
    /// A task has to make the call.
    case task(Work)
  }

  /// The result of a call without a task.
  enum CallResult: Sendable {
    case answered(Answer)
    /// The rest of the request needs a task.
    case task(Work)
  }

  typealias Work = @Sendable () async -> Answer
  typealias Begin =
    @Sendable (Resource.Request, CallOptions, _ report: @escaping @Sendable (CallResult) -> Void)
    -> Start

  /// Begins a request, on the loop. `report` is called on the loop, after `begin` has returned.
  let begin: Begin
}

extension ResourceFetch {
  /// Makes each request in a task.
  init(
    _ fetch:
      @escaping @Sendable (Resource.Request, CallOptions) async ->
      @Sendable () -> Result<Resource, CallError>
  ) {
    begin = { request, options, _ in
      .task {
        let result = await fetch(request, options)
        return Answer { () throws(CallError) in try result().get() }
      }
    }
  }
}
