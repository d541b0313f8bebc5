/// The unsent bytes of a stream, and their end.
///
/// Large pieces are kept without a copy. It is a class, so that it can be changed inside a table.
final class OutboundBody {
  /// The end of the body after the bytes.
  enum End {
    /// The body continues: more bytes may be added.
    case open
    case endStream
    case trailers(HeaderList)
  }

  /// Pieces are joined up to this many bytes.
  private static let joinedSize = 32 << 10

  /// The piece that is read now.
  private(set) var next: [UInt8] = []
  /// The number of its bytes that have been read.
  private var sent = 0
  private var waiting: [[UInt8]] = []
  private var end = End.open

  /// The number of bytes that have not been read yet.
  private(set) var unsent = 0

  private var position = 0
  /// The positions at which frames must end; nil if that does not matter.
  private var cuts: FrameBoundaries?

  var isOpen: Bool {
    if case .open = end { true } else { false }
  }

  /// - Parameter frames: the sizes of frames for these bytes alone, before one more for the rest.
  func append(_ more: [UInt8], frames: [Int]? = nil, end: End) {
    guard isOpen else { return }
    if let frames {
      let cuts = cuts ?? FrameBoundaries()
      self.cuts = cuts
      let start = position + unsent
      cuts.append(start..<start + more.count, sizes: frames, isFirst: unsent == 0)
    }
    self.end = end
    if unsent == 0 {
      next = more
      sent = 0
    } else if let last = waiting.last, last.count + more.count <= Self.joinedSize {
      waiting[waiting.count - 1] += more
    } else if !more.isEmpty {
      waiting.append(more)
    }
    unsent += more.count
  }

  /// Moves as many bytes as fit into one frame. If none are left, `end` is the end of the body.
  func read(into target: UnsafeMutableRawBufferPointer) -> (count: Int, end: End?) {
    guard let cuts, let cut = cuts.next else { return unsafe readOn(into: target) }
    let size = min(target.count, cut - position)
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: target[..<size])
    let read = unsafe readOn(into: part)
    if position == cut { cuts.advance() }
    // The end comes after empty frames, and this frame may be one of them.
    return (read.count, size > 0 && cuts.next == nil ? read.end : nil)
  }

  private func readOn(into target: UnsafeMutableRawBufferPointer) -> (count: Int, end: End?) {
    var count = 0
    while true {
      let part = min(target.count - count, next.count - sent)
      unsafe next.withUnsafeBytes { source in
        let source = unsafe UnsafeRawBufferPointer(rebasing: source[sent..<sent + part])
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: source)
      }
      count += part
      sent += part
      unsent -= part
      position += part
      guard sent == next.count else { break }
      sent = 0
      guard !waiting.isEmpty else {
        next = []
        break
      }
      next = waiting.removeFirst()
    }
    return (count, unsent == 0 ? end : nil)
  }
}
