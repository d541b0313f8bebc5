import WireIO

extension MessageDeframer.Message {
  /// The message as it was before it was compressed.
  ///
  /// - Throws: RESOURCE_EXHAUSTED above the limit, INTERNAL when it cannot be undone,
  ///   DEADLINE_EXCEEDED when that takes too long.
  package func decompressed(
    limit: Int, until deadline: ContinuousClock.Instant? = nil
  ) throws(CallError) -> [UInt8] {
    guard isCompressed else { return bytes }
    do throws(Inflater.Failure) {
      // It tells gzip and deflate apart by itself.
      return try Inflater.inflate(bytes, limit: limit, until: deadline)
    } catch {
      switch error {
      case .tooLarge(let limit):
        throw .tooLarge("the server's message has too many bytes once decompressed", limit: limit)
      case .corrupt(let reason):
        throw .transport(.internal, "the server's message cannot be decompressed: \(reason)")
      case .expired:
        throw .local(
          .deadlineExceeded, "the deadline passed before the answer was decompressed")
      }
    }
  }

  /// The same, elsewhere than on the loop, which has other calls to see to.
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
  /// The outcome with its message as it was before it was compressed, or what is wrong with it.
  func decompressed(
    limit: Int, until deadline: ContinuousClock.Instant?, besides loop: EventLoop
  ) async -> CallOutcome {
    guard case .answered(var answer) = end else { return self }
    let message = MessageDeframer.Message(isCompressed: isCompressed, bytes: answer.message)
    do throws(CallError) {
      answer.message = try await message.decompressed(limit: limit, until: deadline, besides: loop)
      return CallOutcome(.answered(answer), attempts: attempts, peer: peer)
    } catch {
      var error = error
      error.peer = error.peer ?? peer?.description
      error.headers = answer.headers
      error.trailers = answer.trailers
      return CallOutcome(.failed(error), attempts: attempts)
    }
  }
}
