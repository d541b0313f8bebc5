import Recording

/// The calls of a recording that have no end yet, by number, with a state for each.
///
/// A status with details may follow a CANCEL, so only a trailer ends a call. A canceled call also ends when
/// `CallNumbers.endedLimit` other calls were canceled after it.
package struct OpenCalls<State> {
  private var states: [Int: State] = [:]
  /// The numbers of the canceled calls, the oldest first.
  private var canceled: [Int] = []
  /// The held bytes of each call, and of all.
  private var sizes: [Int: Int] = [:]
  private var size = 0

  package init() {}

  package subscript(number: Int) -> State? {
    get { states[number] }
    _modify { yield &states[number] }
  }

  /// Counts bytes that the state of a call holds.
  package mutating func hold(_ bytes: Int, in number: Int) throws(OpenCallsOverflow) {
    sizes[number, default: 0] += bytes
    size += bytes
    guard size <= OpenCallsOverflow.limit else { throw OpenCallsOverflow() }
  }

  package mutating func remove(_ number: Int) -> State? {
    if let index = canceled.firstIndex(of: number) { canceled.remove(at: index) }
    size -= sizes.removeValue(forKey: number) ?? 0
    return states.removeValue(forKey: number)
  }

  /// Removes and returns the call that ends with this entry: its own, or one that was canceled long ago.
  package mutating func end(at entry: LoggedEntry) -> State? {
    let number = entry.call.number
    guard states[number] != nil else { return nil }
    switch (entry.value.type, entry.value.payload) {
    case (.serverTrailer, .trailer): return remove(number)
    case (.cancel, _) where !canceled.contains(number): canceled.append(number)
    default: break
    }
    // After this many later cancellations, CallNumbers gives the ID to a new call.
    return canceled.count > CallNumbers.endedLimit ? remove(canceled[0]) : nil
  }

  /// Removes and returns the canceled calls that satisfy the condition, for readers that cannot wait for a
  /// status.
  package mutating func endCanceled(_ isWanted: (State) -> Bool) -> [State] {
    let numbers = canceled.filter { number in states[number].map(isWanted) ?? false }
    return numbers.compactMap { remove($0) }
  }

  /// The states of all open calls, in the order of their numbers.
  package var all: [State] { states.sorted { $0.key < $1.key }.map(\.value) }
}

/// The error if the open calls hold more than 256 MiB.
package struct OpenCallsOverflow: Error {
  package static let limit = 256 << 20
}
