/// Timers in order of their instants; equal instants in the order they were added.
///
/// A binary heap whose timers know their place, so that cancelling costs no more than adding.
/// Knows no clock: time is passed in.
final class TimerHeap {
  private var timers: [LoopTimer] = []
  private var added: UInt64 = 0

  /// The earliest instant; `nil` when there is no timer.
  var next: ContinuousClock.Instant? {
    timers.first?.instant
  }

  func add(at instant: ContinuousClock.Instant, _ body: @escaping () -> Void) -> LoopTimer {
    let timer = LoopTimer(instant, order: added, index: timers.count, body, in: self)
    added += 1
    timers.append(timer)
    rise(from: timer.index)
    return timer
  }

  /// Fires what is due.
  ///
  /// A timer may add timers, and one that is due already would be fired here too; `limit` bounds
  /// that, so that a timer which always adds another cannot keep the loop from its sockets.
  func fire(now: ContinuousClock.Instant) {
    var limit = timers.count
    while limit > 0, let timer = timers.first, timer.instant <= now {
      limit -= 1
      let body = timer.body
      cancel(timer)
      body?()
    }
  }

  func cancelAll() {
    while let timer = timers.last { cancel(timer) }
  }

  /// Takes the timer out and its body away from it.
  func cancel(_ timer: LoopTimer) {
    timer.body = nil
    timer.heap = nil
    let index = timer.index
    let last = timers.removeLast()
    if last !== timer {
      timers[index] = last
      last.index = index
      rise(from: index)
      sink(from: last.index)
    }
  }

  private func rise(from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard timers[index] < timers[parent] else { return }
      swap(index, parent)
      index = parent
    }
  }

  private func sink(from start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < timers.count {
        if timers[child] < timers[least] { least = child }
      }
      guard least != index else { return }
      swap(index, least)
      index = least
    }
  }

  private func swap(_ one: Int, _ other: Int) {
    timers.swapAt(one, other)
    timers[one].index = one
    timers[other].index = other
  }
}
