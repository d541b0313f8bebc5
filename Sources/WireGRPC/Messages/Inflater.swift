import CZlib

/// Undoes gzip and deflate, never making more than a limit allows.
package enum Inflater {
  package enum Failure: Error, Hashable {
    /// It would give more than so many bytes.
    case tooLarge(limit: Int)
    /// The bytes are not what they say they are, or end too early; zlib's words if it has any.
    case corrupt(String)
    /// The time for it is over.
    case expired
  }

  /// What the bytes stand for. Several gzip members in a row give their contents in a row.
  package static func inflate(
    _ bytes: [UInt8], limit: Int, until deadline: ContinuousClock.Instant? = nil
  ) throws(Failure) -> [UInt8] {
    var stream = unsafe z_stream()
    // 15 bits of window, and 32 to tell gzip from zlib by the first bytes.
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
      // Looked at once for each MiB, or less.
      if let deadline, deadline <= .now { return .expired }
      // One byte more than allowed shows that there is more than allowed.
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
        let words = unsafe stream.msg.map { unsafe String(cString: $0) }
        return .corrupt(words ?? "zlib error \(status)")
      }
    }
  }
}
