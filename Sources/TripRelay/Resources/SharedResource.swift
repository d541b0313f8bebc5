import FleetEngineAPI
import RelayAPI
import Tripwire

/// A resource that this worker polls. Used by its worker only.
final class SharedResource {
  enum Phase {
    /// Reads the last message, or waits to try that again.
    case loading
    /// Polls, and publishes.
    case polling(any AnyResourceModel)
    /// Another worker publishes the resource, too: continues from its last message at this instant, if the
    /// resource is still this worker's.
    case yielding(until: ContinuousClock.Instant)
    /// The resource is final: it is announced and not polled.
    case over
  }

  let key: String
  let name: ResourceName
  var phase = Phase.loading
  /// Polls the resource; nil in other phases than `polling`.
  var model: (any AnyResourceModel)? { if case .polling(let model) = phase { model } else { nil } }
  var isLoading = false
  /// The number of the resource's last message in the stream; 0 for none.
  var lastMessage: UInt64 = 0
  /// The `sequence` of the last state.
  var sequence: UInt64 = 0
  /// The resource of the last state.
  var published: EncodedResource?
  /// When the server confirmed the resource of the last state.
  var publishedRefresh: ContinuousClock.Instant?
  /// The ID of the publication in progress, or of the lookup after a conflict; unique in the worker.
  var publication: UInt64?
  /// Whether the state changed since it was published.
  var needsPublishing = false
  /// Whether it is unknown if the last message was stored.
  var isUncertain = false
  /// Publishing failed for a reason that lasts; not before this instant.
  var retry: ContinuousClock.Instant?
  /// Why the whole resource cannot be published: its message would be too large.
  var oversize: NATSError?
  var isOversizeReported = false
  /// Whether the last publication failed because no stream stores it.
  var lacksStream = false

  init(key: String, name: ResourceName) {
    self.key = key
    self.name = name
  }

  /// Stops polling.
  func stop(_ next: Phase) {
    model?.unsubscribe(ObjectIdentifier(self))
    phase = next
    needsPublishing = false
  }
}
