import Synchronization
import WireHTTP2
import WireIO
import WireProtobuf
import WireTLS

/// A way to one gRPC server: makes the connection when a call needs it, keeps it, and makes a new
/// one when it is lost.
///
///     let channel = try Channel(target: "fleetengine.googleapis.com")
///     let trip = try await channel.unary(TripServiceMethods.getTrip, request).message
///
/// Nothing has to run in the background and nothing has to be closed: when the last reference goes
/// the connection is closed; ``close()`` tells when that is done.
public final class Channel: Sendable {
  /// The channel's own thread, for tasks that make very many calls and do little else: there a call
  /// costs no change of thread.
  ///
  ///     Task(executorPreference: channel.executor) { … }
  public var executor: any TaskExecutor { loop.taskExecutor }

  private let loop: EventLoop
  private let inbox = Inbox()
  private let lastCall = Atomic<UInt64>(0)

  /// - Parameter target: `host:port`, `host` (port 443), `[::1]:50051`, `dns:///host:port`,
  ///   `ipv4:127.0.0.1:50051`, `ipv6:[::1]:50051`, `unix:path` or `unix:///absolute/path`.
  /// - Throws: ``CallError`` with the reason ``ConnectionFailure/Reason/configuration`` when the
  ///   target is malformed or the TLS configuration cannot be used. Nothing is dialled yet.
  public init(
    target: String, configuration: ChannelConfiguration = ChannelConfiguration()
  ) throws(CallError) {
    let context: ConnectionContext
    do throws(ConnectionFailure) {
      context = try ConnectionContext(Target(target), configuration)
    } catch {
      throw CallError(error)
    }
    let dispatcher = Dispatcher(
      context: context, inbox: inbox, failsFast: configuration.failFast)
    loop = context.loop
    // With the loop as its preferred executor a task that is resumed needs no other thread first.
    Task(executorPreference: loop.taskExecutor) { await dispatcher.run() }
  }

  deinit {
    inbox.abandon()
  }

  /// Sends one message and returns the one that answers it.
  ///
  /// Cancelling the task cancels the call on the server, too, and throws CANCELLED.
  ///
  /// - Throws: ``CallError`` for every status but OK.
  public func unary<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Response> {
    let start = ContinuousClock.now
    var options = options
    options.timeout = options.timeout ?? method.timeout
    let outcome = await unary(
      path: method.path, request.serializedBytes(), options: options, start: start)
    do throws(CallError) {
      return try CallResponse(outcome)
    } catch {
      var error = error
      error.attempts = outcome.attempts
      error.path = method.path
      throw error
    }
  }

  /// The same without the codec: bytes of one message out, bytes of one message in.
  package func unary(
    path: String, _ message: [UInt8], options: CallOptions,
    start: ContinuousClock.Instant = .now
  ) async -> CallOutcome {
    do throws(CallError) {
      let body = try MessageFramer.frame(message)
      for entry in options.metadata { try Self.check(entry) }
      if Task.isCancelled { throw CallError.local(.cancelled, "the call was cancelled") }
      let id = lastCall.add(1, ordering: .relaxed).newValue
      return await withTaskCancellationHandler {
        await Waiter.wait { waiter in
          inbox.submit(
            CallRequest(
              id: id, path: path, body: body, metadata: options.metadata, start: start,
              timeout: options.timeout.map { min($0, Timeout.longest) },
              maxReceiveMessageSize: options.maxReceiveMessageSize,
              waitForReady: options.waitForReady, isFromLoop: loop.isOnLoop, waiter: waiter))
          // A cancellation may have come before the call did.
          if Task.isCancelled { inbox.cancel(id) }
        }
      } onCancel: {
        inbox.cancel(id)
      }
    } catch {
      return CallOutcome(result: .failure(error), attempts: 0)
    }
  }

  private static func check(_ entry: Metadata.Entry) throws(CallError) {
    do throws(MetadataError) {
      try MetadataRules.check(entry)
    } catch {
      throw .local(.internal, error.description)
    }
  }

  /// Takes no more calls, lets those in flight finish, then closes the connection. Calls that are
  /// still queued, or made later, fail with UNAVAILABLE.
  public func close() async {
    await Waiter.wait { inbox.close($0) }
  }
}

extension CallResponse {
  /// - Throws: the call's error, or INTERNAL when the message does not decode.
  fileprivate init(_ outcome: CallOutcome) throws(CallError) {
    let answer = try outcome.result.get()
    var unknownFieldCount = 0
    do throws(DecodingError) {
      message = try Response(
        serializedBytes: answer.message, unknownFieldCount: &unknownFieldCount)
    } catch {
      throw .transport(.internal, "the server's message does not decode: \(error)")
    }
    headers = answer.headers
    trailers = answer.trailers
    self.unknownFieldCount = unknownFieldCount
    attempts = outcome.attempts
  }
}
