import Synchronization
public import WireGRPC
import WireHTTP2
package import WireIO
import WireProtobuf
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
  private let lastMetadata = LastMetadata()
  let serviceConfig: ServiceConfig
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
    if let refusal = method.refusal(of: .unary) { throw refusal }
    return try await unary(
      path: method.path, request.serializedBytes(), options: complete(options, for: method)
    ).decode()
  }

  /// Sends the bytes of one message and returns the response, not decoded yet.
  ///
  /// - Parameters:
  ///   - options: as ``complete(_:for:)`` returns them.
  ///   - refusal: the error of a call that must not be sent.
  package func unary(
    path: String, _ message: [UInt8], options: CallOptions, refusal: CallError? = nil
  ) async throws(CallError) -> RawResponse {
    let start = loop.now
    var call = pendingCall(path, .unary, message, options, refusal)
    let completion = isObserved(options) ? CallCompletion(isStream: false) : nil
    if let completion { await interception.intercept(&call, at: start, completion) }
    if call.refusal == nil, Task.isCancelled {
      call.refusal = .local(.cancelled, "the call was canceled")
    }
    let id = call.id
    var outcome = await withTaskCancellationHandler {
      await Waiter.wait { waiter in
        submit(call, at: start, for: .waiter(waiter, isOnLoop: loop.isOnLoop))
        // The task may have been canceled before the call was submitted.
        if Task.isCancelled { submissions.cancel(id) }
      }
    } onCancel: {
      submissions.cancel(id)
    }
    // In the caller's task, so that the loop can serve other calls.
    if outcome.isCompressed {
      outcome = await outcome.decompressed(call.options, start: start, besides: loop)
    }
    return try RawResponse(outcome, path: path, completion: completion)
  }

  func isObserved(_ options: CallOptions) -> Bool {
    interception.isNeeded || !options.interceptors.isEmpty
  }

  /// Whether the call has interceptors that may wait or refuse it.
  package func needsTask(_ options: CallOptions) -> Bool {
    interception.needsTask || !options.interceptors.isEmpty
  }

  /// Starts a call of any kind, with messages as bytes. Sending and reading throw its errors.
  ///
  /// - Parameters:
  ///   - message: the only message of the request; nil if the caller sends the messages.
  ///   - refusal: the error of a call that must not be sent.
  package func open(
    path: String, kind: MethodKind, _ message: [UInt8]? = nil, options: CallOptions,
    refusal: CallError? = nil
  ) -> StreamingCall {
    let exchange = CallExchange(creditStep: creditStep)
    let start = loop.now
    let call = pendingCall(path, kind, message, options, refusal)
    let completion = isObserved(options) ? CallCompletion(isStream: true) : nil
    var starting: Task<CallOptions, Never>?
    if let completion {
      starting = Task.immediate {
        var call = call
        await interception.intercept(&call, at: start, completion)
        submit(call, at: start, for: .exchange(exchange))
        // The task may have been canceled before the call was submitted.
        if Task.isCancelled { submissions.cancel(call.id) }
        return call.options
      }
    } else {
      submit(call, at: start, for: .exchange(exchange))
    }
    return StreamingCall(
      self, id: call.id, path: path, exchange: exchange, options: options, start: start,
      completion: completion, starting: starting)
  }

  func pendingCall(
    _ path: String, _ kind: MethodKind, _ message: [UInt8]?, _ options: CallOptions,
    _ refusal: CallError? = nil
  ) -> PendingCall {
    PendingCall(
      id: lastCall.add(1, ordering: .relaxed).newValue, path: path, kind: kind, message: message,
      options: options, refusal: refusal)
  }

  /// Submits the call, or ends it if it must not be sent.
  func submit(
    _ call: PendingCall, at start: ContinuousClock.Instant, for caller: CallRequest.Caller
  ) {
    redactor?.note(call.options.metadata)
    do throws(CallError) {
      submissions.submit(try call.request(at: start, lastMetadata, for: caller))
    } catch {
      call.unsentRequest(at: start, for: caller).refuse(error)
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
    let end = loop.now + Timeout.bounded(grace)
    await withTaskCancellationHandler {
      await Waiter.wait { submissions.close($0, graceEnd: end) }
    } onCancel: {
      submissions.endGrace()
    }
  }
}
