/// The bytes a stream has yet to send, and what comes after them.
///
/// A class, as it is changed where it lies, in a table.
final class OutboundBody {
  /// What follows the bytes.
  enum End {
    /// More may be added.
    case open
    /// END_STREAM on the last DATA frame.
    case endStream
    case trailers([HeaderField])
  }

  #if !DEBUG
    @safe @exclusivity(unchecked)
  #endif
  private var bytes: [UInt8] = []
  private var sent = 0
  private var end = End.open

  /// How many bytes have not been read yet.
  var unsent: Int { bytes.count - sent }

  /// Whether more may be added.
  var isOpen: Bool {
    if case .open = end { true } else { false }
  }

  func append(_ more: [UInt8], end: End) {
    guard isOpen else { return }
    self.end = end
    if sent == bytes.count {
      bytes = more
      sent = 0
    } else {
      bytes.append(contentsOf: more)
    }
  }

  /// Moves as many bytes as fit. When none are left, `end` says what follows them.
  func read(into target: UnsafeMutableRawBufferPointer) -> (count: Int, end: End?) {
    let count = min(target.count, bytes.count - sent)
    unsafe bytes.withUnsafeBytes { source in
      let part = unsafe UnsafeRawBufferPointer(rebasing: source[sent..<sent + count])
      unsafe target.copyMemory(from: part)
    }
    sent += count
    if sent == bytes.count {
      bytes = []
      sent = 0
      return (count, end)
    }
    if sent >= 1 << 16, sent >= bytes.count / 2 {
      bytes.removeSubrange(0..<sent)
      sent = 0
    }
    return (count, nil)
  }
}
