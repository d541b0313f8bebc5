import Synchronization
public import WireGRPC
import WireHTTP2
package import WireIO
import WireProtobuf
import WireTLS
import WireTransport

/// A client for one gRPC server. The channel connects when a call needs it and keeps the
/// connection. It opens further connections when calls wait because the server's stream limit is
/// reached, and reconnects when a connection is lost.
///
///     let channel = try Channel(target: "fleetengine.googleapis.com")
///     let trip = try await channel.unary(TripServiceMethods.getTrip, request).message
///
/// A channel needs no background task, and closing it is optional: releasing the last reference
/// closes its connections. ``close(grace:)`` waits until that is done.
public final class Channel: Sendable {
  /// The executor of the channel's thread, for tasks that make many calls and do little else. Calls
  /// made on it need no thread switch.
  ///
  ///     Task(executorPreference: channel.executor) { … }
  public var executor: any TaskExecutor { loop.taskExecutor }

  /// Runs everything below the submission queue.
  package let loop: EventLoop
  let submissions = SubmissionQueue()
  private let lastCall = Atomic<UInt64>(0)
  private let serviceConfig: ServiceConfig
  let interception: Interception
  /// Collects the credentials of calls; nil if nothing is traced.
  let redactor: CredentialRedactor?
  /// The credit step of each call's ``ResponseQueue``.
  private let creditStep: Int

  /// Creates a channel to a target. It connects at the first call.
  ///
  /// - Parameters:
  ///   - target: `host:port`, `host` (port 443), `[::1]:50051`, `dns:///host:port`,
  ///     `ipv4:127.0.0.1:50051`, `ipv6:[::1]:50051`, `unix:path` or `unix:///absolute/path`.
  ///   - configuration: how to reach the server; by default with TLS.
  /// - Throws: ``CallError`` with the reason ``ConnectionFailure/Reason/configuration`` if the
  ///   target or the TLS configuration is invalid, or a number is out of its range.
  public convenience init(
    target: String, configuration: ChannelConfiguration = ChannelConfiguration()
  ) throws(CallError) {
    try self.init(configuration) { () throws(ConnectionFailure) in try Target(target) }
  }

  /// Creates a channel to a host. It connects at the first call.
  ///
  ///     let channel = try Channel(host: "::1", port: 50051)
  ///
  /// - Parameters:
  ///   - host: a name, an IPv4 address, or an IPv6 address with or without brackets.
  ///   - port: 1 to 65535; by default 443.
  ///   - configuration: how to reach the server; by default with TLS.
  /// - Throws: ``CallError`` with the reason ``ConnectionFailure/Reason/configuration`` if the
  ///   host, the port or the TLS configuration is invalid, or a number is out of its range.
  public convenience init(
    host: String, port: Int = 443, configuration: ChannelConfiguration = ChannelConfiguration()
  ) throws(CallError) {
    try self.init(configuration) { () throws(ConnectionFailure) in
      try Target(host: host, port: port)
    }
  }

  private init(
    _ configuration: ChannelConfiguration, _ target: () throws(ConnectionFailure) -> Target
  ) throws(CallError) {
    let context: ConnectionContext
    do throws(ConnectionFailure) {
      context = try ConnectionContext(target(), configuration)
    } catch {
      throw CallError(error)
    }
    let dispatcher = Dispatcher(
      context: context, submissions: submissions, failsFast: configuration.failFast,
      throttling: configuration.serviceConfig.retryThrottling,
      maxConnections: configuration.maxConnections)
    serviceConfig = configuration.serviceConfig
    interception = Interception(
      configuration, authority: context.headers.authority, loop: context.loop)
    redactor = context.redactor
    loop = context.loop
    creditStep = context.http2.streamWindow / 4
    // With the loop as preferred executor, a resumed task does not visit another thread first.
    Task(executorPreference: loop.taskExecutor) { await dispatcher.run() }
  }

  deinit {
    submissions.abandon()
  }

  /// Sends one message and returns the response.
  ///
  /// Canceling the task also cancels the call on the server, and throws CANCELLED.
  ///
  /// - Throws: ``CallError`` for every status except OK.
  public func unary<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Response> {
    try await rawUnary(method, request, complete(options, for: method)).decode()
  }

  /// Sends one message and returns the response, not decoded yet.
  ///
  /// - Parameters:
  ///   - options: as ``complete(_:for:)`` returns them.
  ///   - refusal: the error of a call that must not be sent.
  func rawUnary<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions,
    refusal: CallError? = nil
  ) async throws(CallError) -> RawResponse<Response> {
    let start = ContinuousClock.now
    if let refusal = method.refusal(of: .unary) { throw refusal }
    return try await rawUnary(
      path: method.path, request.serializedBytes(), options, start: start, refusal: refusal)
  }

  /// Sends the bytes of one message.
  package func rawUnary<Response>(
    path: String, _ message: [UInt8], _ options: CallOptions,
    start: ContinuousClock.Instant = .now, refusal: CallError? = nil
  ) async throws(CallError) -> RawResponse<Response> {
    let (outcome, completion) = await intercept(path: path, message, options, start, refusal)
    return try RawResponse(outcome, path: path, completion: completion)
  }

  /// Sends the bytes of one message and returns the outcome with the bytes of the response.
  package func unary(
    path: String, _ message: [UInt8], options: CallOptions, refusal: CallError? = nil
  ) async -> CallOutcome {
    let (outcome, completion) = await intercept(path: path, message, options, .now, refusal)
    completion?.finish(outcome.error)
    return outcome
  }

  /// Runs the interceptors, if there are any, and makes the call unless it is refused.
  ///
  /// - Returns: the outcome, and for observed calls the completion, which the caller ends after
  ///   decoding.
  private func intercept(
    path: String, _ message: [UInt8], _ options: CallOptions, _ start: ContinuousClock.Instant,
    _ refusal: CallError?
  ) async -> (CallOutcome, CallCompletion?) {
    guard isObserved(options) else {
      let call = InterceptedCall(options: options, error: refusal)
      return (await send(path: path, message, call, start), nil)
    }
    let completion = CallCompletion(isStream: false)
    var call = await interception.intercept(
      path: path, kind: .unary, options, start: start, completion)
    call.error = call.error ?? refusal
    return (await send(path: path, message, call, start), completion)
  }

  /// Frames the message, submits the call, waits for its outcome and decompresses it.
  private func send(
    path: String, _ message: [UInt8], _ call: InterceptedCall, _ start: ContinuousClock.Instant
  ) async -> CallOutcome {
    let options = call.options
    redactor?.note(options.metadata)
    do throws(CallError) {
      if let error = call.error { throw error }
      try Self.checkLimits(options)
      let headers = try Self.headers(options)
      let body = try MessageFramer.frame(
        message, options.compression, limit: options.maxSendMessageSize)
      if Task.isCancelled { throw CallError.local(.cancelled, "the call was canceled") }
      let id = nextID()
      let outcome = await withTaskCancellationHandler {
        await Waiter.wait { waiter in
          submissions.submit(
            CallRequest(
              id: id, path: path, body: body, start: start, kind: .unary, options: options,
              headers: headers, caller: .waiter(waiter, isOnLoop: loop.isOnLoop),
              observers: call.observers))
          // The task may have been canceled before the call was submitted.
          if Task.isCancelled { submissions.cancel(id) }
        }
      } onCancel: {
        submissions.cancel(id)
      }
      guard outcome.isCompressed else { return outcome }
      // In the caller's task, so that the loop can serve other calls.
      return await outcome.decompressed(
        limit: options.maxReceiveMessageSize,
        until: Timeout.deadline(options.timeout, from: start), besides: loop)
    } catch {
      call.observers.reportRefusal(
        of: path,
        start: .start(metadata: options.metadata, timeout: options.timeout.map(Timeout.bounded)),
        [MessageDeframer.Message(isCompressed: false, bytes: message)], isLast: true, error)
      return CallOutcome(.failed(error), attempts: 0)
    }
  }

  /// Whether the call has interceptors or is measured.
  func isObserved(_ options: CallOptions) -> Bool {
    interception.isNeeded || !options.interceptors.isEmpty
  }

  /// Whether the call has interceptors that may wait or refuse it.
  package func needsTask(_ options: CallOptions) -> Bool {
    interception.needsTask || !options.interceptors.isEmpty
  }

  /// Starts a call of any kind, with messages as bytes. Its errors are thrown to the tasks that send
  /// and read.
  ///
  /// - Parameters:
  ///   - message: the only message of the request; nil if the caller sends the messages.
  ///   - refusal: the error of a call that must not be sent.
  package func open(
    path: String, kind: MethodKind, _ message: [UInt8]? = nil, options: CallOptions,
    refusal: CallError? = nil
  ) -> StreamingCall {
    let exchange = CallExchange(creditStep: creditStep)
    let id = nextID()
    let start = ContinuousClock.now
    var refusal = refusal
    if let message, refusal == nil {
      do throws(CallError) {
        _ = exchange.send(
          try MessageFramer.frame(
            message, options.compression, limit: options.maxSendMessageSize))
        _ = exchange.finish()
      } catch {
        refusal = error
      }
    }
    let completion = isObserved(options) ? CallCompletion(isStream: true) : nil
    let submit = { @Sendable [submissions, redactor, refusal] (call: InterceptedCall) in
      redactor?.note(call.options.metadata)
      func request(_ headers: PreparedMetadata) -> CallRequest {
        CallRequest(
          id: id, path: path, start: start, kind: kind, options: call.options, headers: headers,
          caller: .exchange(exchange), observers: call.observers)
      }
      do throws(CallError) {
        if let error = call.error ?? refusal { throw error }
        try Self.checkLimits(call.options)
        submissions.submit(request(try Self.headers(call.options)))
      } catch {
        request(PreparedMetadata(unsent: call.options.metadata)).refuse(error)
      }
    }
    var starting: Task<CallOptions, Never>?
    if let completion {
      starting = Task.immediate { [submissions, interception] in
        let call = await interception.intercept(
          path: path, kind: kind, options, start: start, completion)
        submit(call)
        // The task may have been canceled before the call was submitted.
        if Task.isCancelled { submissions.cancel(id) }
        return call.options
      }
    } else {
      submit(InterceptedCall(options: options))
    }
    return StreamingCall(
      self, id: id, path: path, exchange: exchange, options: options, start: start,
      completion: completion, starting: starting)
  }

  /// Returns the options, completed with the defaults of the service config and the method.
  package func complete<Request, Response>(
    _ options: CallOptions, for method: MethodDescriptor<Request, Response>
  ) -> CallOptions {
    serviceConfig.completing(options, for: method)
  }

  func nextID() -> UInt64 {
    lastCall.add(1, ordering: .relaxed).newValue
  }

  static func checkLimits(_ options: CallOptions) throws(CallError) {
    guard options.maxReceiveMessageSize >= 0, options.maxSendMessageSize >= 0 else {
      throw .local(
        .internal,
        "maxReceiveMessageSize is \(options.maxReceiveMessageSize) and maxSendMessageSize"
          + " \(options.maxSendMessageSize): they must not be negative; use Int.max for no limit")
    }
  }

  /// Checks the metadata, and returns it in the form in which it is sent.
  private static func headers(_ options: CallOptions) throws(CallError) -> PreparedMetadata {
    do throws(MetadataError) {
      return try PreparedMetadata(options.metadata)
    } catch {
      throw .local(.internal, error.description)
    }
  }

  /// Closes the channel: rejects new calls, waits for calls in flight, then closes the connections.
  ///
  /// When the grace period ends, or the calling task is canceled, the remaining calls end with
  /// CANCELLED. Queued calls and later ones fail with UNAVAILABLE. Both errors are
  /// ``CallError/Kind/client``.
  ///
  /// - Parameter grace: the time limit for calls in flight. If `close` is called several times, the
  ///   earliest limit applies.
  public func close(grace: Duration = .seconds(30)) async {
    let end = ContinuousClock.now + Timeout.bounded(grace)
    await withTaskCancellationHandler {
      await Waiter.wait { submissions.close($0, graceEnd: end) }
    } onCancel: {
      submissions.endGrace()
    }
  }
}
