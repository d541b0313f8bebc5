package import WireGRPC
import WireIO

extension Channel {
  /// Starts a unary call without a task, on the loop. The call must not be observed.
  ///
  /// - Parameters:
  ///   - options: as ``complete(_:for:)`` returns them; their metadata is not used.
  ///   - start: when the call started, for its timeout.
  ///   - completion: called on the loop, after this function has returned.
  /// - Returns: the ID for ``cancel(_:)``.
  package func start(
    path: String, _ message: [UInt8], _ options: CallOptions, _ headers: PreparedMetadata,
    at start: ContinuousClock.Instant, completion: @escaping @Sendable (CallOutcome) -> Void
  ) -> UInt64 {
    redactor?.note(headers.metadata)
    let id = nextID()
    let deadline = Timeout.deadline(options.timeout, from: start)
    let limit = options.maxReceiveMessageSize
    let body: [UInt8]
    do throws(CallError) {
      try Self.checkLimits(options)
      body = try MessageFramer.frame(
        message, options.compression, limit: options.maxSendMessageSize)
    } catch {
      loop.execute { completion(CallOutcome(.failed(error), attempts: 0)) }
      return id
    }
    let caller = CallRequest.Caller.callback(loop) { [loop] outcome in
      guard outcome.isCompressed else {
        completion(outcome)
        return
      }
      Task(executorPreference: loop.taskExecutor) {
        completion(await outcome.decompressed(limit: limit, until: deadline, besides: loop))
      }
    }
    submissions.submit(
      CallRequest(
        id: id, path: path, body: body, start: start, kind: .unary, options: options,
        headers: headers, caller: caller))
    return id
  }

  /// Cancels a call that ``start(path:_:_:_:at:completion:)`` started. Its completion gets CANCELLED.
  package func cancel(_ id: UInt64) {
    submissions.cancel(id)
  }
}
