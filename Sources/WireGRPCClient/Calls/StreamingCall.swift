import Synchronization
package import WireGRPC
import WireIO
import WireSystem

/// A call that sends or receives a stream of messages as bytes, created by
/// ``Channel/open(path:kind:_:options:)``.
///
/// Releasing the last reference, or canceling a task that sends or reads, cancels the call.
package final class StreamingCall: Sendable {
  private let channel: Channel
  private let id: UInt64
  private let path: String
  private let exchange: CallExchange
  private let options: CallOptions
  private let start: ContinuousClock.Instant
  private let completion: CallCompletion?
  /// The work before the call is sent. Its result is the options after all interceptors.
  private let starting: Task<CallOptions, Never>?
  /// Whether the caller canceled the call; the loop may not know yet.
  private let isCancelled = Atomic(false)

  init(
    _ channel: Channel, id: UInt64, path: String, exchange: CallExchange, options: CallOptions,
    start: ContinuousClock.Instant, completion: CallCompletion?, starting: Task<CallOptions, Never>?
  ) {
    self.channel = channel
    self.id = id
    self.path = path
    self.exchange = exchange
    self.options = options
    self.start = start
    self.completion = completion
    self.starting = starting
  }

  deinit {
    cancel()
    reportEnd()
  }

  /// Cancels the call here and on the server, unless it is over or already canceled.
  package func cancel() {
    guard exchange.end == nil, !isCancelled.exchange(true, ordering: .relaxed) else { return }
    starting?.cancel()
    channel.submissions.cancel(id)
  }

  /// Reports to observers that the response was read completely, or the error if it cannot be.
  ///
  /// - Returns: the error that was reported before, if any.
  @discardableResult
  func reportEnd(_ error: CallError? = nil) -> CallError? {
    completion?.finish(error)
  }

  // MARK: Sending

  /// Sends a message, as ``RequestWriter/send(_:compresses:)`` describes.
  package func send(_ message: [UInt8], compresses: Bool = true) async throws(CallError) {
    do throws(CallError) {
      let frame = try MessageFramer.frame(
        message, compresses ? options.compression : .identity, limit: options.maxSendMessageSize)
      while true {
        if isGivenUp { await cancelAndWait() }
        switch exchange.requests.withLock({ $0.send(frame) }) {
        case .sent(let announce):
          if announce { channel.submissions.streamActivity(id) }
          return
        case .refuse(let error):
          throw error
        case .wait:
          let isOnLoop = channel.loop.isOnLoop
          await withTaskCancellationHandler {
            await exchange.waitForRoom(isOnLoop: isOnLoop)
          } onCancel: {
            cancel()
          }
        }
      }
    } catch {
      throw complete(error)
    }
  }

  /// Ends the request, unless it is canceled: the server must not take it for complete.
  package func finish() {
    guard !isCancelled.load(ordering: .relaxed) else { return }
    let mustAnnounce = exchange.requests.withLock { $0.finish() }
    if mustAnnounce {
      channel.submissions.streamActivity(id)
    }
  }

  // MARK: Receiving

  /// The headers, as ``ResponseStream/headers`` describes.
  var headers: Metadata {
    get async throws(CallError) {
      while true {
        if let headers = exchange.headers { return headers }
        if case .failure(let error) = exchange.end { throw complete(error) }
        if Task.isCancelled { await cancelAndWait() }
        let isOnLoop = channel.loop.isOnLoop
        await withTaskCancellationHandler {
          await exchange.watch(forEnd: false, isOnLoop: isOnLoop)
        } onCancel: {
          cancel()
        }
      }
    }
  }

  /// The trailers of a call that ended with OK; nil before.
  var trailers: Metadata? { try? exchange.end?.get() }

  var attempts: Int { exchange.responses.withLock { $0.attempts } }

  /// Returns the next message, or nil after the last if the call ended with OK. One task at a time.
  ///
  /// - Parameter reportsEnd: whether the end of the response ends the call for its observers.
  package func next(reportsEnd: Bool = true) async throws(CallError) -> [UInt8]? {
    do throws(CallError) {
      while true {
        if isGivenUp { await cancelAndWait() }
        switch exchange.responses.withLock({ $0.take() }) {
        case .message(let message, let returnsCredit):
          if returnsCredit { channel.submissions.streamActivity(id) }
          return message.isCompressed ? try await decompressed(message) : message.bytes
        case .end(let result):
          if case .failure(let error) = result {
            reportEnd()
            throw error
          }
          if reportsEnd { reportEnd() }
          return nil
        case .wait:
          let isOnLoop = channel.loop.isOnLoop
          let isAlone = await withTaskCancellationHandler {
            await exchange.waitForMore(isOnLoop: isOnLoop)
          } onCancel: {
            cancel()
          }
          guard isAlone else {
            throw CallError.local(
              .internal, "only one task at a time may read the responses of a call")
          }
        }
      }
    } catch {
      throw complete(error)
    }
  }

  private func decompressed(
    _ message: MessageDeframer.Message
  ) async throws(CallError) -> [UInt8] {
    let timeout = (await starting?.value ?? options).timeout
    do throws(CallError) {
      return try await message.decompressed(
        limit: options.maxReceiveMessageSize, until: Timeout.deadline(timeout, from: start),
        besides: channel.loop)
    } catch {
      throw unreadable(error)
    }
  }

  /// Ends the call because a message cannot be read. Returns the error to throw.
  func unreadable(_ error: CallError) -> CallError {
    let error = complete(error)
    let earlier = reportEnd(error)
    cancel()
    return earlier ?? error
  }

  private var isGivenUp: Bool { isCancelled.load(ordering: .relaxed) || Task.isCancelled }

  /// Cancels the call and waits for its end. The loop determines the error: it knows the state of
  /// the call, and whether the deadline came first.
  private func cancelAndWait() async {
    cancel()
    while exchange.end == nil {
      await exchange.watch(forEnd: true, isOnLoop: channel.loop.isOnLoop)
    }
  }

  package func complete(_ error: CallError) -> CallError {
    var error = error
    error.path = path
    error.attempts = max(error.attempts, attempts)
    error.peer = error.peer ?? exchange.responses.withLock { $0.peer }?.description
    if error.headers.isEmpty { error.headers = exchange.headers ?? Metadata() }
    if error.trailers.isEmpty { error.trailers = trailers ?? Metadata() }
    return error
  }
}
