import WireSystem

/// The responses that were recorded for one request, in order, and the next one.
struct ResponseSequence {
  struct Entry {
    var response: TimedResponse
    /// The response with the fields that it omitted because the client had them; nil if it omitted
    /// none.
    var complete: TimedResponse?
    /// The messages that it was recorded for, or as many of them as it takes to recognize the request.
    var requests: [[UInt8]] = []
    /// The number of the call, from 1.
    var call = 0
  }

  /// A response and its place in the sequence.
  struct Selection {
    var entry: Entry
    /// The response of the entry, or its complete one.
    var response: TimedResponse
    /// Counted from 1.
    var number: Int
    /// The number of responses in the sequence.
    var count: Int
  }

  private var entries: [Entry] = []
  /// The time of each request, since 1970, in ascending order.
  private var times: [Duration] = []
  private var next = 0

  /// - Parameter time: nil if it was not recorded.
  /// - Returns: false when `time` is before that of the previous entry, whose time the entry then gets.
  mutating func append(_ entry: Entry, _ time: Duration?) -> Bool {
    let last = times.last ?? time ?? .zero
    let time = time ?? last
    entries.append(entry)
    times.append(max(time, last))
    return time >= last
  }

  /// The time of the first request.
  var start: Duration { times.first ?? .zero }

  /// The time for which the last response applies before a loop starts again: that of the one before
  /// it.
  var lastInterval: Duration {
    times.count > 1 ? times[times.count - 1] - times[times.count - 2] : .zero
  }

  /// Returns the next response. After the last one comes the last again, or the first.
  mutating func next(for requests: [[UInt8]], loops: Bool) -> Selection? {
    guard entries.indices.contains(next) else { return nil }
    defer {
      next += 1
      if next == entries.count { next = loops ? 0 : next - 1 }
    }
    return selection(next, isComplete: entries[next].requests != requests)
  }

  /// Returns the latest response at some time, or the first if there was none yet.
  func response(at time: Duration) -> Selection? {
    let next = times.partitioningIndex { $0 > time }
    return entries.isEmpty ? nil : selection(max(next - 1, 0), isComplete: true)
  }

  /// - Parameter isComplete: whether the client may lack the omitted fields.
  private func selection(_ index: Int, isComplete: Bool) -> Selection {
    let entry = entries[index]
    return Selection(
      entry: entry, response: isComplete ? entry.complete ?? entry.response : entry.response,
      number: index + 1, count: entries.count)
  }
}
