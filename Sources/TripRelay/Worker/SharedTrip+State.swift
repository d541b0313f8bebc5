import FleetEngineAPI
import RelayAPI
import Tripwire
import WireGRPC
import WireProtobuf
import WireSystem

extension SharedTrip {
  /// Returns the state to publish; nil before the first response or error.
  ///
  /// - Parameter streamTime: when the stream was created.
  func state(worker: String, streamTime: Timestamp, _ options: RelayWorkerOptions) -> TripState? {
    guard let model else { return nil }
    let (trip, failure, time) = (model.currentTrip, model.failure, StateTime.now)
    guard trip != nil || failure != nil else { return nil }
    var state = TripState(
      name: name.description, trip: oversize == nil ? trip : nil, after: published,
      failure: failure, refreshed: model.refreshed,
      refreshInterval: options.trip.refreshInterval, at: time, redact: options.redact)
    state.worker = worker
    state.sequence = sequence + 1
    state.routeFormatType = options.trip.routeFormat
    state.view = options.trip.view
    state.streamTime = streamTime
    if let oversize {
      let error = CallError(
        code: .resourceExhausted,
        message: "the trip is too large for the relay: \(oversize.message)", origin: .local)
      state.error = PollError(error, since: time.timestamp, count: 1)
      state.error?.isClientError = true
    }
    return state
  }
}
