/// Buffers for the streams of one loop, which use them in turn. They hold nothing between calls.
///
/// All connections of a server share them.
package final class StreamBuffers {
  private static let size = 64 * 1024

  let received = ByteBuffer(count: size)
  /// The same bytes, decrypted. Created for the first stream with TLS.
  private(set) lazy var decrypted = ByteBuffer(count: Self.size)
  /// Storage for bytes to write to a socket.
  var outgoing: [UInt8] = []
  /// Storage for bytes before encryption.
  var plaintext: [UInt8] = []

  package init() {}
}

/// Memory at a fixed address.
@safe final class ByteBuffer {
  let bytes: UnsafeMutableRawBufferPointer

  init(count: Int) {
    unsafe bytes = .allocate(byteCount: count, alignment: 16)
  }

  deinit {
    unsafe bytes.deallocate()
  }
}
