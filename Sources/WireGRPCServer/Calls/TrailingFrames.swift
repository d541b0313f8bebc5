import WireHTTP2
import WireSystem

/// The control actions that follow the ends of a connection's responses, in the order in which they
/// are due.
struct TrailingFrames {
  private struct Entry {
    let due: ContinuousClock.Instant
    let stream: StreamID
    let actions: any TrailingActions
  }

  /// The maximum number of responses per connection whose actions wait; further actions are dropped.
  private static let limit = 10_000

  /// Sorted, from `start` on.
  private var waiting: [Entry] = []
  private var start = 0

  /// When the next action is due; nil if there is none.
  var due: ContinuousClock.Instant? { start < waiting.count ? waiting[start].due : nil }

  mutating func add(_ actions: any TrailingActions, on stream: StreamID) {
    guard let due = actions.due, waiting.count - start < Self.limit else { return }
    // After those that are due at the same time.
    let isLast = waiting.last.map { $0.due <= due } ?? false
    let index = isLast ? waiting.count : waiting[start...].partitioningIndex { $0.due > due }
    waiting.insert(Entry(due: due, stream: stream, actions: actions), at: index)
  }

  /// Removes and returns the next action if it is due.
  mutating func next(now: ContinuousClock.Instant) -> (StreamID, ControlAction)? {
    while let due, due <= now {
      let entry = waiting[start]
      start += 1
      if 2 * start > waiting.count {
        waiting.removeFirst(start)
        start = 0
      }
      guard let action = entry.actions.nextAction(now: now) else { continue }
      add(entry.actions, on: entry.stream)
      return (entry.stream, action)
    }
    return nil
  }
}
