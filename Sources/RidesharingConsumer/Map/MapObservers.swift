import Dispatch
import JourneySharing
import WireSystem

/// Passes the contents of a map view to its observers on the main queue, once for all changes since
/// the last time.
final class MapObservers: Sendable {
  typealias Observer = @Sendable (JourneyMapContents) -> Bool

  private struct State {
    var observers: [Observer] = []
    var isScheduled = false
  }

  private let state = Locked(State())

  func add(_ observer: @escaping Observer) {
    state.withLock { $0.observers.append(observer) }
  }

  /// - Parameter contents: returns nil if the map view is gone.
  func notify(_ contents: @escaping @Sendable () -> JourneyMapContents?) {
    let isNew = state.withLock { state in
      guard !state.isScheduled, !state.observers.isEmpty else { return false }
      state.isScheduled = true
      return true
    }
    guard isNew else { return }
    DispatchQueue.main.async { [self] in
      let observers = state.withLock { state in
        state.isScheduled = false
        defer { state.observers = [] }
        return state.observers
      }
      guard let contents = contents() else { return }
      let remaining = observers.filter { $0(contents) }
      state.withLock { $0.observers = remaining + $0.observers }
    }
  }
}
