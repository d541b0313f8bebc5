package import WireGRPC
import WireIO
package import WireProtobuf

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
    completion: @escaping @Sendable (Result<RawResponse<Empty>, CallError>) -> Void
  ) -> UInt64 {
    redactor?.note(headers.metadata)
    let id = nextID()
    let deadline = Timeout.deadline(options.timeout, from: start)
    let limit = options.maxReceiveMessageSize
    let callCompletion = isObserved(options) ? CallCompletion(isStream: false) : nil
    let observers =
      callCompletion.map {
        interception.observers(
          path: path, metadata: headers.metadata, timeout: options.timeout, start: start, $0)
      } ?? CallObservers()
    let end = { @Sendable (outcome: CallOutcome) in
      completion(
        Result { () throws(CallError) in
          try RawResponse(outcome, path: path, completion: callCompletion)
        })
    }
    let body: [UInt8]
    do throws(CallError) {
      try Self.checkLimits(options)
      body = try MessageFramer.frame(
        message, options.compression, limit: options.maxSendMessageSize)
    } catch {
      observers.reportRefusal(
        of: path,
        start: .start(
          metadata: headers.metadata, timeout: options.timeout.map(Timeout.bounded)),
        [MessageDeframer.Message(isCompressed: false, bytes: message)], isLast: true, error)
      loop.execute { end(CallOutcome(.failed(error), attempts: 0)) }
      return id
    }
    let caller = CallRequest.Caller.callback(loop) { [loop] outcome in
      guard outcome.isCompressed else {
        end(outcome)
        return
      }
      Task(executorPreference: loop.taskExecutor) {
        end(await outcome.decompressed(limit: limit, until: deadline, besides: loop))
      }
    }
    submissions.submit(
      CallRequest(
        id: id, path: path, body: body, start: start, kind: .unary, options: options,
        headers: headers, caller: caller, observers: observers))
    return id
  }

  /// Cancels a call that ``start(path:_:_:_:at:completion:)`` started. Its completion gets CANCELLED.
  package func cancel(_ id: UInt64) {
    submissions.cancel(id)
  }
}
