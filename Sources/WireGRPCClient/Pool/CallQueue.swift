/// Calls that wait for a stream, in order of arrival. Calls that end while they wait stay in the
/// array until they are the majority.
struct CallQueue {
  private var calls: [Call] = []
  private var taken = 0
  private var live = 0

  var isEmpty: Bool { live == 0 }

  mutating func append(_ call: Call) {
    calls.append(call)
    live += 1
  }

  /// Puts calls that already had a connection before all others.
  mutating func prepend(_ first: [Call]) {
    calls.replaceSubrange(..<taken, with: first)
    taken = 0
    live += first.count
  }

  mutating func popFirst() -> Call? {
    while taken < calls.count {
      let call = calls[taken]
      taken += 1
      guard !call.isOver else { continue }
      live -= 1
      compact()
      return call
    }
    compact()
    return nil
  }

  /// A waiting call has ended.
  mutating func callEnded() {
    live -= 1
    compact()
  }

  /// Removes the calls for which the closure returns true.
  mutating func remove(where isChosen: (Call) -> Bool) -> [Call] {
    var removed: [Call] = []
    var kept: [Call] = []
    for call in calls[taken...] where !call.isOver {
      if isChosen(call) { removed.append(call) } else { kept.append(call) }
    }
    calls = kept
    taken = 0
    live = kept.count
    return removed
  }

  private mutating func compact() {
    if live == 0 {
      calls.removeAll(keepingCapacity: true)
      taken = 0
    } else if calls.count > 64, calls.count > 2 * live {
      calls = calls[taken...].filter { !$0.isOver }
      taken = 0
    }
  }
}
