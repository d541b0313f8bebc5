import RelayAPI
import WireProtobuf

/// The last state of a resource in the stream.
struct LastState: Sendable {
  let state: ResourceState
  let message: UInt64
  /// When NATS stored it, in seconds since 1970, by the server's clock.
  let time: Double

  /// When Fleet Engine confirmed the resource, by the server's clock.
  var confirmed: Double {
    guard let poll = state.pollTime?.secondsSince1970, let refresh = state.refreshTime else {
      return time
    }
    return time - max(0, poll - refresh.secondsSince1970)
  }
}

/// A state to publish.
struct NewState {
  /// Without the resource.
  let state: ResourceState
  /// Nil if it is not known, or too large.
  let resource: EncodedResource?
  /// When the server confirmed the resource.
  let refreshed: ContinuousClock.Instant?
  /// Whether it has an error about the size in place of a state that is too large.
  let replacesOversize: Bool

  var bytes: [UInt8] { resource?.serializedBytes(in: state) ?? state.serializedBytes() }
}
