import CZlib

/// Compresses bytes that come in pieces with gzip (RFC 1952), and keeps only the compressed ones.
@safe package final class GzipStream {
  private static let chunk = 1 << 16

  // zlib's state has its address.
  private let stream: UnsafeMutablePointer<z_stream>
  private var isValid: Bool
  private var buffer = [UInt8](repeating: 0, count: chunk)
  private var output: [UInt8] = []

  package init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    // A window of 15 bits, plus 16 for the gzip format; 8 is zlib's default memory level.
    isValid =
      unsafe deflateInit2_(
        stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        size) == Z_OK
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  package func write(_ bytes: [UInt8]) { compress(bytes, Z_NO_FLUSH) }

  /// Ends the stream. Returns all compressed bytes; nil if zlib has no memory.
  package func finish() -> [UInt8]? {
    compress([], Z_FINISH)
    return isValid ? output : nil
  }

  private func compress(_ bytes: [UInt8], _ flush: Int32) {
    unsafe bytes.withUnsafeBufferPointer { input in
      // zlib only reads from it.
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
      var isFull = true
      while isValid, isFull {
        let status = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
          unsafe stream.pointee.next_out = buffer.baseAddress
          unsafe stream.pointee.avail_out = UInt32(buffer.count)
          return unsafe deflate(stream, flush)
        }
        isValid = status != Z_STREAM_ERROR
        let room = unsafe Int(stream.pointee.avail_out)
        output += buffer.prefix(buffer.count - room)
        isFull = room == 0
      }
    }
  }
}
