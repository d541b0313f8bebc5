import CZlib

/// Compresses outgoing messages with gzip (RFC 1952).
package enum Deflater {
  /// Shorter input never shrinks: the gzip header and trailer alone take 18 bytes.
  private static let shortest = 24

  /// Returns the compressed bytes, or nil if they are not shorter.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= shortest, let count = UInt32(exactly: bytes.count) else { return nil }
    var stream = unsafe z_stream()
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    // A window of 15 bits, plus 16 for the gzip format; 8 is zlib's default memory level.
    guard
      unsafe deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        size) == Z_OK
    else { return nil }
    defer { unsafe deflateEnd(&stream) }

    // The output has space for one byte less than the input, so input that does not shrink fails.
    let room = bytes.count - 1
    var isDone = false
    let output = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, length in
      unsafe bytes.withUnsafeBufferPointer { input in
        // zlib only reads from it.
        unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.avail_in = count
        unsafe stream.next_out = buffer.baseAddress
        unsafe stream.avail_out = UInt32(room)
        isDone = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
        length = unsafe room - Int(stream.avail_out)
      }
    }
    return isDone ? output : nil
  }
}
