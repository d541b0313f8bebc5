import CZlib

/// Decompresses gzip and deflate, up to a size limit.
package enum Inflater {
  package enum Failure: Error, Hashable {
    case tooLarge(limit: Int)
    /// The bytes are not valid or end too early; the text is zlib's reason if it has one.
    case corrupt(String)
    case expired
  }

  /// Returns the decompressed bytes. The contents of several gzip members are joined.
  package static func inflate(
    _ bytes: [UInt8], limit: Int, until deadline: ContinuousClock.Instant? = nil
  ) throws(Failure) -> [UInt8] {
    var stream = unsafe z_stream()
    // A window of 15 bits, plus 32 to detect gzip or zlib by the header.
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, size) == Z_OK else {
      throw .corrupt("zlib cannot be initialized")
    }
    defer { unsafe inflateEnd(&stream) }

    var output: [UInt8] = []
    var failure: Failure?
    unsafe bytes.withUnsafeBufferPointer { input in
      // zlib only reads from it.
      unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.avail_in = UInt32(clamping: input.count)
      failure = unsafe run(&stream, into: &output, limit: limit, until: deadline)
    }
    if let failure { throw failure }
    return output
  }

  private static func run(
    _ stream: inout z_stream, into output: inout [UInt8], limit: Int,
    until deadline: ContinuousClock.Instant?
  ) -> Failure? {
    var chunkSize = 4 * Int(unsafe stream.avail_in)
    while true {
      // Checked at least once per MiB of output.
      if let deadline, deadline <= .now { return .expired }
      // One byte beyond the limit proves that the limit is exceeded.
      let most = limit - output.count
      let room = min(max(chunkSize, 512), 1 << 20, most < 1 << 20 ? most + 1 : 1 << 20)
      var status = Z_OK
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        unsafe stream.next_out = buffer.baseAddress
        unsafe stream.avail_out = UInt32(room)
        unsafe status = CZlib.inflate(&stream, Z_NO_FLUSH)
        count = unsafe room - Int(stream.avail_out)
      }
      if output.isEmpty { output = chunk } else { output += chunk }
      guard output.count <= limit else { return .tooLarge(limit: limit) }
      chunkSize = room * 2

      switch status {
      case Z_STREAM_END where unsafe stream.avail_in == 0:
        return nil
      case Z_STREAM_END:
        guard unsafe inflateReset(&stream) == Z_OK else { return .corrupt("zlib cannot be reset") }
      case Z_OK where unsafe !chunk.isEmpty || stream.avail_in > 0:
        continue
      case Z_OK, Z_BUF_ERROR:
        return .corrupt("unexpected end of data")
      default:
        let reason = unsafe stream.msg.map { unsafe String(cString: $0) }
        return .corrupt(reason ?? "zlib error \(status)")
      }
    }
  }
}
