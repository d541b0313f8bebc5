/// The answers that were recorded for one request, in order, and which is next.
struct Tape {
  /// An answer and to what.
  struct Entry {
    var answer: Answer
    /// With what it left out because the one who asked had it already; nil when that is nothing.
    var whole: Answer?
    /// The messages that it was recorded for, or as many of them as it takes to know it.
    var requests: [[UInt8]] = []
    /// The number of the call, from 1.
    var call = 0

    init(_ answer: Answer) {
      self.answer = answer
    }
  }

  /// An answer and its place among those for the same request.
  struct Turn {
    var answer: Answer
    /// The number of its call, from 1.
    var call: Int
    /// The messages that it was recorded for.
    var requests: [[UInt8]]
    /// Counted from 1.
    var number: Int
    /// How many answers there are for the same request.
    var count: Int
  }

  private var entries: [Entry] = []
  /// When each was asked for, since 1970; never less than the one before.
  private var times: [Duration] = []
  private var next = 0

  /// - Parameter time: nil if it was not recorded.
  /// - Returns: false when it is before that of the one before, whose time it then gets.
  mutating func append(_ entry: Entry, _ time: Duration?) -> Bool {
    let last = times.last ?? time ?? .zero
    let time = time ?? last
    entries.append(entry)
    times.append(max(time, last))
    return time >= last
  }

  /// When the first was asked for.
  var start: Duration { times.first ?? .zero }

  /// For how long the last one is played before a loop begins anew: as the one before it was.
  var lastInterval: Duration {
    times.count > 1 ? times[times.count - 1] - times[times.count - 2] : .zero
  }

  /// The next one. After the last comes the last again, or the first.
  mutating func play(for requests: [[UInt8]], loops: Bool) -> Turn? {
    guard entries.indices.contains(next) else { return nil }
    defer {
      next += 1
      if next == entries.count { next = loops ? 0 : next - 1 }
    }
    return turn(next, isWhole: entries[next].requests != requests)
  }

  /// The one that was the latest at some time, whatever the one who asks has already; the first before
  /// there was any.
  func answer(at time: Duration) -> Turn? {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return entries.isEmpty ? nil : turn(max(low - 1, 0), isWhole: true)
  }

  /// - Parameter isWhole: whether the client may lack what the answer leaves out.
  private func turn(_ index: Int, isWhole: Bool) -> Turn {
    let entry = entries[index]
    return Turn(
      answer: isWhole ? entry.whole ?? entry.answer : entry.answer, call: entry.call,
      requests: entry.requests, number: index + 1, count: entries.count)
  }
}
