/// Finds the frames in received bytes, and holds an incomplete frame header back from nghttp2.
///
/// nghttp2 counts each piece of a CONTINUATION's header as another CONTINUATION.
struct ReceivedBytes {
  private var scanner: FrameScanner
  /// The octets of a frame header of which the rest has not arrived.
  private var partialHeader: [UInt8] = []
  /// The peer's first 32 bytes, kept until its SETTINGS prove that it speaks HTTP/2.
  private(set) var firstBytes: [UInt8] = []
  private var isHTTP2 = false

  /// - Parameter preface: the octets that the peer sends before its first frame.
  init(skipping preface: Int) { scanner = FrameScanner(skipping: preface) }

  /// Keeps the peer's first bytes. Returns the error if they belong to another protocol, before
  /// nghttp2 has the nine octets that it waits for: a TLS alert has seven.
  mutating func foreignProtocol(in bytes: UnsafeRawBufferPointer) -> HTTP2Error? {
    guard !isHTTP2 else { return nil }
    unsafe firstBytes.append(contentsOf: bytes.prefix(max(0, 32 - firstBytes.count)))
    let sender = HTTP2Error.PeerProtocol(firstBytes: firstBytes)
    return sender == .unknown ? nil : .notHTTP2(firstBytes)
  }

  mutating func settingsArrived() {
    isHTTP2 = true
    firstBytes = []
  }

  /// Reports each frame that begins in `bytes`, and returns what nghttp2 may read now: a frame header
  /// that has become complete, then the rest of `bytes` up to an incomplete header.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, found: (HTTP2Frame) -> Void
  ) -> (header: [UInt8], rest: UnsafeRawBufferPointer) {
    let known = scanner.headCount
    unsafe scanner.scan(bytes, found)
    var header: [UInt8] = []
    var rest = unsafe bytes
    if !partialHeader.isEmpty {
      let missing = min(HTTP2Frame.headLength - known, bytes.count)
      unsafe partialHeader.append(contentsOf: bytes[..<missing])
      unsafe rest = UnsafeRawBufferPointer(rebasing: bytes[missing...])
      guard partialHeader.count == HTTP2Frame.headLength else { return unsafe ([], rest) }
      swap(&header, &partialHeader)
    }
    // Before SETTINGS the bytes may not be a frame header at all, which nghttp2 should report at once.
    let begun = scanner.headCount
    let held = !isHTTP2 || begun > rest.count ? 0 : begun
    let whole = rest.count - held
    unsafe partialHeader.append(contentsOf: rest[whole...])
    return unsafe (header, UnsafeRawBufferPointer(rebasing: rest[..<whole]))
  }
}
