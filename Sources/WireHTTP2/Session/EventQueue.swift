/// The events in order, and the body bytes to which they refer.
///
/// The body bytes of a batch share one buffer. It is reused for the next batch unless a slice of it was
/// kept, so DATA costs one copy and usually no allocation.
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

  /// Removes the events that were taken. Only then does no event point into the buffer.
  mutating func reuse() {
    guard isEmpty else { return }
    entries.removeAll(keepingCapacity: true)
    bodies.removeAll(keepingCapacity: true)
    next = 0
  }

  mutating func append(_ event: consuming HTTP2Event) { entries.append(.event(event)) }

  /// Adds body bytes to the last event if that belongs to the same stream, else as a new event.
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
    // Moved, not copied.
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
