import FleetEngineAPI
import Tripwire

/// A trip that this worker polls. Used by its worker only.
final class SharedTrip {
  enum Phase {
    /// Reads the last message, or waits to try that again.
    case loading
    /// Polls, and publishes.
    case polling(TripModel)
    /// Another worker publishes the trip, too: continues from its last message at this instant, if the trip is
    /// still this worker's.
    case yielding(until: ContinuousClock.Instant)
    /// The trip is over: it is announced and not polled.
    case over
  }

  let key: String
  let name: TripName
  var phase = Phase.loading
  var isLoading = false
  /// The number of the trip's last message in the stream; 0 for none.
  var lastMessage: UInt64 = 0
  /// The `sequence` of the last state.
  var sequence: UInt64 = 0
  /// The trip of the last state.
  var published: Trip?
  var publishedAt: ContinuousClock.Instant?
  /// When the server confirmed the trip of the last state.
  var publishedRefresh: ContinuousClock.Instant?
  var isPublishing = false
  /// Whether the state changed since it was published.
  var needsPublishing = false
  /// Whether it is unknown if the last message was stored.
  var isUncertain = false
  /// Publishing failed for a reason that lasts; not before this instant.
  var retry: ContinuousClock.Instant?
  /// Why the whole trip cannot be published: its message would be too large.
  var oversize: NATSError?

  init(key: String, name: TripName) {
    self.key = key
    self.name = name
  }

  var model: TripModel? {
    if case .polling(let model) = phase { model } else { nil }
  }

  /// Stops polling.
  func stop(_ next: Phase) {
    if let model { model.unsubscribe(ObjectIdentifier(self)) }
    phase = next
    needsPublishing = false
  }
}
