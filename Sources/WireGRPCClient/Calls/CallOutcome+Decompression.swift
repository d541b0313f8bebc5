import WireGRPC
import WireIO

extension MessageDeframer.Message {
  /// Decompresses the message on another thread than the loop, which has other calls to serve.
  func decompressed(
    limit: Int, until deadline: ContinuousClock.Instant?, besides loop: EventLoop
  ) async throws(CallError) -> [UInt8] {
    guard loop.isOnLoop else { return try decompressed(limit: limit, until: deadline) }
    return try await Task.detached {
      Result { () throws(CallError) in try decompressed(limit: limit, until: deadline) }
    }.value.get()
  }
}

extension CallOutcome {
  /// Returns the outcome with its message decompressed, or with the error if that fails.
  func decompressed(
    _ options: CallOptions, start: ContinuousClock.Instant, besides loop: EventLoop
  ) async -> CallOutcome {
    guard case .answered(var answer) = end else { return self }
    let message = MessageDeframer.Message(isCompressed: isCompressed, bytes: answer.message)
    do throws(CallError) {
      answer.message = try await message.decompressed(
        limit: options.maxReceiveMessageSize,
        until: Timeout.deadline(options.timeout, from: start), besides: loop)
      return CallOutcome(end: .answered(answer), attempts: attempts, peer: peer)
    } catch {
      var error = error
      error.peer = error.peer ?? peer?.description
      error.headers = answer.headers
      error.trailers = answer.trailers
      return CallOutcome(end: .failed(error), attempts: attempts)
    }
  }
}
