import WireSystem

/// The newest state of a resource that one reader has not taken yet.
///
/// The changes are computed when the reader takes it, against what it took before. So the reader
/// receives each change once, and only two snapshots are kept.
final class PendingUpdate<Resource: FollowedResource>: Sendable {
  private struct State {
    var latest: ResourceSnapshot<Resource>?
    var taken: ResourceSnapshot<Resource>?
    /// Whether the reader has found no update since it was last woken.
    var isAwaited = true
    var isClosed = false
  }

  private let state = Locked(State())

  /// Stores a snapshot. Returns whether the reader must be woken.
  ///
  /// - Parameter isNews: whether it differs from the previous one. The first always counts as news.
  func post(_ snapshot: ResourceSnapshot<Resource>, isNews: Bool) -> Bool {
    state.withLock { state in
      guard !state.isClosed, isNews || state.latest != nil || state.taken == nil else {
        return false
      }
      state.latest = snapshot
      defer { state.isAwaited = false }
      return state.isAwaited
    }
  }

  /// Returns the changes, or nil if there are none; then the next post wakes the reader.
  //
  // Generic code takes 15,000 instructions more for a trip (docs/decisions/fleet/polls-without-tasks.md).
  @_specialize(where Resource == Trip)
  func take() -> ResourceUpdate<Resource>? {
    while let (latest, taken) = takeSnapshots() {
      let update = ResourceUpdate(latest, since: taken)
      if update.isNews { return update }
    }
    return nil
  }

  private func takeSnapshots() -> (
    latest: ResourceSnapshot<Resource>, taken: ResourceSnapshot<Resource>?
  )? {
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

  /// Discards everything from now on.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.latest = nil
      state.taken = nil
    }
  }
}
