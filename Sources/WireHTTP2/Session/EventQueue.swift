/// Events in the order they arose, and the body bytes they point into.
///
/// Body bytes of a whole batch share one buffer, which is used again for the next batch unless
/// somebody kept a slice of it: so DATA costs one copy and, in the usual round, no allocation.
struct EventQueue {
  private enum Entry {
    case event(HTTP2Event)
    case data(StreamID, Range<Int>, endStream: Bool)
    case taken
  }

  private var entries: [Entry] = []
  private var next = 0
  private var bodies: [UInt8] = []

  var isEmpty: Bool { next == entries.count }

  /// Forgets what has been taken; only then is there no event pointing into the buffer.
  mutating func reuse() {
    guard isEmpty else { return }
    entries.removeAll(keepingCapacity: true)
    bodies.removeAll(keepingCapacity: true)
    next = 0
  }

  mutating func append(_ event: consuming HTTP2Event) { entries.append(.event(event)) }

  /// Adds body bytes to the last event when that is of the same stream, else as an event.
  mutating func appendData(
    _ stream: StreamID, _ bytes: UnsafeBufferPointer<UInt8>, endStream: Bool
  ) {
    var start = bodies.count
    unsafe bodies.append(contentsOf: bytes)
    if next < entries.count, case .data(stream, let range, false) = entries[entries.count - 1] {
      start = range.lowerBound
      entries.removeLast()
    }
    entries.append(.data(stream, start..<bodies.count, endStream: endStream))
  }

  mutating func take() -> HTTP2Event? {
    guard !isEmpty else { return nil }
    // Moved out, not copied.
    var entry = Entry.taken
    swap(&entry, &entries[next])
    next += 1
    switch consume entry {
    case .event(let event): return event
    case .data(let stream, let range, let endStream):
      return .data(stream, bodies[range], endStream: endStream)
    case .taken: return nil
    }
  }
}
