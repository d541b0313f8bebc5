package import WireGRPC
import WireIO

extension Channel {
  /// Starts a unary call without a task, on the loop. ``needsTask(_:)`` must be false.
  ///
  /// - Parameters:
  ///   - options: as ``complete(_:for:)`` returns them; their metadata is not used.
  ///   - start: when the call started, for its timeout.
  ///   - completion: called on the loop, after this function has returned.
  /// - Returns: the ID for ``cancel(_:)``.
  package func start(
    path: String, _ message: [UInt8], _ options: CallOptions, _ headers: PreparedMetadata,
    at start: ContinuousClock.Instant,
    completion: @escaping @Sendable (Result<RawResponse, CallError>) -> Void
  ) -> UInt64 {
    var call = pendingCall(path, .unary, message, options)
    call.headers = headers
    call.options.metadata = headers.metadata
    let callCompletion = isObserved(options) ? CallCompletion(isStream: false) : nil
    if let callCompletion { interception.observe(&call, at: start, callCompletion) }
    let end = { @Sendable (outcome: CallOutcome) in
      completion(
        Result { () throws(CallError) in
          try RawResponse(outcome, path: path, completion: callCompletion)
        })
    }
    let caller = CallRequest.Caller.callback(loop) { [loop] outcome in
      guard outcome.isCompressed else {
        end(outcome)
        return
      }
      Task(executorPreference: loop.taskExecutor) {
        end(await outcome.decompressed(options, start: start, besides: loop))
      }
    }
    submit(call, at: start, for: caller)
    return call.id
  }

  /// Cancels a call that ``start(path:_:_:_:at:completion:)`` started. Its completion gets CANCELLED.
  package func cancel(_ id: UInt64) {
    submissions.cancel(id)
  }
}
