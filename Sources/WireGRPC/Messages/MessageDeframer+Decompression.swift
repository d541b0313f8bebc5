extension MessageDeframer.Message {
  /// Returns the message, decompressed if necessary.
  ///
  /// - Throws: RESOURCE_EXHAUSTED above the limit, INTERNAL if the message does not decompress,
  ///   DEADLINE_EXCEEDED if the deadline passes.
  package func decompressed(
    limit: Int, until deadline: ContinuousClock.Instant? = nil
  ) throws(CallError) -> [UInt8] {
    guard isCompressed else { return bytes }
    do throws(Inflater.Failure) {
      // zlib detects gzip and deflate by the header.
      return try Inflater.inflate(bytes, limit: limit, until: deadline)
    } catch {
      switch error {
      case .tooLarge(let limit):
        throw .tooLarge("the response is too large when decompressed", limit: limit)
      case .corrupt(let reason):
        throw .transport(.internal, "the server's message cannot be decompressed: \(reason)")
      case .expired:
        throw .local(
          .deadlineExceeded, "the deadline passed before the response was decompressed")
      }
    }
  }
}
