/// Finds the head of each frame in a byte stream that arrives in pieces.
///
/// nghttp2 does not report the frames that it ignores, so those are counted here.
struct FrameScanner {
  /// Octets of `PRI * HTTP/2.0…`, which a client sends before its first frame.
  static let clientPreface = 24

  /// Octets to pass over before the next head: the client's preface, then each payload.
  private var toSkip: Int
  private var head: UInt64 = 0
  /// Octets of a frame's head that have come, while the rest has not.
  private(set) var headCount = 0
  private var type: UInt8 = 0

  init(skipping preface: Int) { toSkip = preface }

  mutating func scan(_ bytes: UnsafeRawBufferPointer, _ found: (HTTP2Frame) -> Void) {
    var offset = 0
    while offset < bytes.count {
      if toSkip > 0 {
        let skipped = min(toSkip, bytes.count - offset)
        toSkip -= skipped
        offset += skipped
        continue
      }
      if headCount == 0, bytes.count - offset >= HTTP2Frame.headLength {
        let frame = unsafe Self.frame(bytes, at: offset)
        offset += HTTP2Frame.headLength
        toSkip = frame.length
        found(frame)
        continue
      }
      let byte = unsafe bytes[offset]
      offset += 1
      if headCount == 3 {
        type = byte
      } else {
        head = head << 8 | UInt64(byte)
      }
      headCount += 1
      guard headCount == HTTP2Frame.headLength else { continue }
      // Eight octets are in `head`: length (3), flags (1), stream (4).
      let frame = HTTP2Frame(
        type: type, flags: UInt8(truncatingIfNeeded: head >> 32),
        streamID: StreamID(truncatingIfNeeded: head & 0x7fff_ffff), length: Int(head >> 40))
      toSkip = frame.length
      headCount = 0
      head = 0
      found(frame)
    }
  }

  /// A head that has come whole: length (3), type, flags, stream (4).
  private static func frame(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> HTTP2Frame {
    let (first, stream) = unsafe (
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 5, as: UInt32.self))
    )
    return HTTP2Frame(
      type: UInt8(truncatingIfNeeded: first >> 32), flags: UInt8(truncatingIfNeeded: first >> 24),
      streamID: StreamID(truncatingIfNeeded: stream & 0x7fff_ffff), length: Int(first >> 40))
  }
}
