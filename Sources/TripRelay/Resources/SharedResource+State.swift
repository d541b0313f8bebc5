import FleetEngineAPI
import RelayAPI
import Tripwire
import WireGRPC
import WireProtobuf
import WireSystem

/// A state to publish.
struct NewState {
  /// Without the resource.
  let state: ResourceState
  /// Nil if it is not known, or too large.
  let resource: EncodedResource?

  var bytes: [UInt8] { resource?.serializedBytes(in: state) ?? state.serializedBytes() }
}

extension SharedResource {
  /// Returns the state to publish; nil before the first response or error.
  ///
  /// - Parameter streamTime: when the stream was created.
  func state(worker: String, streamTime: Timestamp, _ options: RelayWorkerOptions) -> NewState? {
    guard let model else { return nil }
    let (known, failure, time) = (model.encoded, model.failure, StateTime.now)
    guard known != nil || failure != nil else { return nil }
    let resource = oversize == nil ? known : nil
    var state = ResourceState(
      name: name.description, changesOf: resource, since: published, failure: failure,
      refreshed: model.refreshed, refreshInterval: options.trip.refreshInterval, at: time,
      redact: options.redact)
    state.worker = worker
    state.sequence = sequence + 1
    if name.kind == .trip {
      state.routeFormatType = options.trip.routeFormat
      state.view = options.trip.view
    }
    state.streamTime = streamTime
    if let oversize {
      let error = CallError(
        code: .resourceExhausted,
        message: "the \(name.kind.noun) is too large for the relay: \(oversize.message)",
        origin: .local)
      state.error = PollError(error, since: time.timestamp, count: 1)
      state.error?.isClientError = true
    }
    return NewState(state: state, resource: resource)
  }
}
