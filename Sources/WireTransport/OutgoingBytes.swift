/// A buffer of bytes to send, which are taken from its front. The storage is reused.
struct OutgoingBytes {
  private var bytes: [UInt8] = []
  private var taken = 0

  var isEmpty: Bool { taken == bytes.count }

  /// Lets `fill` append to the storage after all earlier bytes were taken.
  mutating func refill(_ fill: (inout [UInt8]) -> Void) {
    guard isEmpty else { return }
    bytes.removeAll(keepingCapacity: true)
    taken = 0
    fill(&bytes)
  }

  mutating func removeFirst(_ count: Int) {
    taken = min(taken + count, bytes.count)
  }

  /// Exchanges the storage for another when all bytes have been taken.
  mutating func swapStorage(_ other: inout [UInt8]) {
    guard isEmpty else { return }
    bytes.removeAll(keepingCapacity: true)
    taken = 0
    swap(&bytes, &other)
  }

  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe bytes.span.bytes.extracting(taken...).withUnsafeBytes(body)
  }
}
