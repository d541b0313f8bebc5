import WireSystem

/// What waits to be told to one reader: only the newest, however slow the reader is.
///
/// What changed is found when it is taken, against what was taken last: so nothing is told twice,
/// nothing is missed, and nothing is kept but two snapshots.
final class UpdateMailbox: Sendable {
  private struct State {
    var latest: TripSnapshot?
    var taken: TripSnapshot?
    /// Whether the reader has found it empty since it was woken last.
    var isAwaited = true
    var isClosed = false
  }

  private let state = Locked(State())

  /// Returns whether the reader has to be woken.
  ///
  /// - Parameter isNews: whether it says more than the one before; the first always does.
  func post(_ snapshot: TripSnapshot, isNews: Bool) -> Bool {
    state.withLock { state in
      guard !state.isClosed, isNews || state.latest != nil || state.taken == nil else {
        return false
      }
      state.latest = snapshot
      defer { state.isAwaited = false }
      return state.isAwaited
    }
  }

  /// What is news; when there is none, the reader is woken once there may be.
  func take() -> TripUpdate? {
    while let (latest, taken) = takeSnapshots() {
      let update = TripUpdate(latest, since: taken)
      if update.isNews { return update }
    }
    return nil
  }

  private func takeSnapshots() -> (latest: TripSnapshot, taken: TripSnapshot?)? {
    state.withLock { state in
      guard let latest = state.latest else {
        state.isAwaited = true
        return nil
      }
      defer {
        state.taken = latest
        state.latest = nil
      }
      return (latest, state.taken)
    }
  }

  /// Tells nothing any more.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.latest = nil
      state.taken = nil
    }
  }
}
