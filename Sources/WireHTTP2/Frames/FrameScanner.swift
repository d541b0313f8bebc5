/// Finds the head of each frame in a byte stream that arrives in pieces.
///
/// nghttp2 does not report the frames that it ignores, so those are counted here.
struct FrameScanner {
  /// The octets of `PRI * HTTP/2.0…`, which a client sends before its first frame.
  static let clientPreface = 24

  /// The number of octets before the next head: the client's preface, then each payload.
  private var toSkip: Int
  /// The number of received octets of an incomplete frame head.
  private(set) var headCount = 0
  /// The received octets of the head, as a number.
  private var head: UInt64 = 0

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
      let frame: HTTP2Frame
      if headCount == 0, bytes.count - offset >= HTTP2Frame.headLength {
        let first = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        frame = unsafe Self.frame(UInt64(bigEndian: first), bytes[offset + 8])
        offset += HTTP2Frame.headLength
      } else {
        let octet = unsafe bytes[offset]
        offset += 1
        headCount += 1
        guard headCount == HTTP2Frame.headLength else {
          head = head << 8 | UInt64(octet)
          continue
        }
        frame = Self.frame(head, octet)
        headCount = 0
        head = 0
      }
      toSkip = frame.length
      found(frame)
    }
  }

  /// A head has a length (3), a type, flags and a stream (4): the first eight octets, and the last.
  private static func frame(_ first: UInt64, _ last: UInt8) -> HTTP2Frame {
    HTTP2Frame(
      type: UInt8(truncatingIfNeeded: first >> 32), flags: UInt8(truncatingIfNeeded: first >> 24),
      streamID: StreamID(truncatingIfNeeded: (first << 8 | UInt64(last)) & 0x7fff_ffff),
      length: Int(first >> 40))
  }
}
