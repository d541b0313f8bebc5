/// Memory for the streams of one loop, which they use in turn: nothing is kept here between calls.
///
/// A server with thousands of connections shares it among them.
package final class StreamBuffers {
  private static let size = 64 * 1024

  /// What a socket gave.
  let received = ByteBuffer(count: size)
  /// The same, decrypted. Made for the first stream that has TLS.
  private(set) lazy var decrypted = ByteBuffer(count: Self.size)
  /// Storage for what a socket is to take.
  var outgoing: [UInt8] = []
  /// The same, before it is encrypted.
  var plaintext: [UInt8] = []

  package init() {}
}

/// Room for bytes at a fixed place.
@safe final class ByteBuffer {
  let bytes: UnsafeMutableRawBufferPointer

  init(count: Int) {
    unsafe bytes = .allocate(byteCount: count, alignment: 16)
  }

  deinit {
    unsafe bytes.deallocate()
  }
}
