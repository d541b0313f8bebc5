import Synchronization
package import WireGRPC
import WireIO

/// A call that sends or receives a stream of messages, as bytes. Made by
/// ``Channel/open(path:kind:_:options:)``.
///
/// Dropping the last reference cancels the call, and so does cancelling a task that sends or reads.
package final class StreamingCall: Sendable {
  private let channel: Channel
  private let id: UInt64
  private let path: String
  private let exchange: CallExchange
  private let options: CallOptions
  private let start: ContinuousClock.Instant
  private let completion: CallCompletion?
  /// What is done before the call is sent; with it the options are as the interceptors leave them.
  private let starting: Task<CallOptions, Never>?
  /// Whether the caller has cancelled the call, which the loop may not know yet.
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

  /// Ends the call here and on the server. Does nothing when the call is over or canceled already.
  package func cancel() {
    guard exchange.end == nil, !isCancelled.exchange(true, ordering: .relaxed) else { return }
    starting?.cancel()
    channel.submissions.cancel(id)
  }

  /// Says what came of the answer, for those who observe the call: all is read, or cannot be.
  ///
  /// - Returns: what ended the call before, at once.
  @discardableResult
  func reportEnd(_ error: CallError? = nil) -> CallError? {
    completion?.finish(error)
  }

  // MARK: Sending

  /// Sends a message, or waits until there is room for it: no more than some 64 KiB are kept
  /// besides the message that goes above.
  ///
  /// - Throws: RESOURCE_EXHAUSTED when the message is too large (the call goes on), the call's own
  ///   error when it has failed, CANCELLED when the server ended it with OK before.
  package func send(_ message: [UInt8]) async throws(CallError) {
    do throws(CallError) {
      let frame = try MessageFramer.frame(
        message, options.compression, limit: options.maxSendMessageSize)
      while true {
        if isGivenUp { await cancelAndWait() }
        switch exchange.send(frame) {
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

  /// Tells the server that no more messages come, unless the call is canceled: the server must not take
  /// the request for complete.
  package func finish() {
    if !isCancelled.load(ordering: .relaxed), exchange.finish() {
      channel.submissions.streamActivity(id)
    }
  }

  // MARK: Receiving

  /// The headers, as soon as they are there; empty when the server sent none before its trailers.
  ///
  /// - Throws: the call's error when it failed before.
  package var headers: Metadata {
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
  package var trailers: Metadata? { try? exchange.end?.get() }

  /// How many times the call was sent.
  package var attempts: Int { exchange.attempts }

  /// The next message; nil when there are no more and the call ended with OK. One task at a time.
  ///
  /// - Parameter reportsEnd: whether a caller who has come to the end has read all.
  /// - Throws: the call's error, after the messages that came before it; a deadline or a
  ///   cancellation at once.
  package func next(reportsEnd: Bool = true) async throws(CallError) -> [UInt8]? {
    do throws(CallError) {
      while true {
        if isGivenUp { await cancelAndWait() }
        switch exchange.next() {
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
            throw CallError.local(.internal, "two tasks read the responses of one call")
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

  /// Ends the call because of a message that cannot be read.
  func unreadable(_ error: CallError) -> CallError {
    let error = complete(error)
    let earlier = reportEnd(error)
    cancel()
    return earlier ?? error
  }

  /// Whether the call or the task that uses it is canceled.
  private var isGivenUp: Bool { isCancelled.load(ordering: .relaxed) || Task.isCancelled }

  /// What a call that is cancelled ends with is for the loop to say: it knows where the call was, and
  /// whether the deadline came first.
  private func cancelAndWait() async {
    cancel()
    while exchange.end == nil {
      await exchange.watch(forEnd: true, isOnLoop: channel.loop.isOnLoop)
    }
  }

  /// The error with what is known of the call.
  package func complete(_ error: CallError) -> CallError {
    var error = error
    error.path = path
    error.attempts = max(error.attempts, attempts)
    error.peer = error.peer ?? exchange.peer?.description
    if error.headers.isEmpty { error.headers = exchange.headers ?? Metadata() }
    if error.trailers.isEmpty { error.trailers = trailers ?? Metadata() }
    return error
  }
}
