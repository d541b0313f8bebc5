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
        throw .tooLarge("the server's message is too large when decompressed", limit: limit)
      case .corrupt(let reason):
        throw .transport(.internal, "the server's message cannot be decompressed: \(reason)")
      case .expired:
        throw .local(
          .deadlineExceeded, "the deadline passed before the response was decompressed")
      }
    }
  }
}
