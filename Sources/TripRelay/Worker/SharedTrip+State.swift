import FleetEngineAPI
import RelayAPI
import Tripwire
import WireGRPC
import WireProtobuf
import WireSystem

extension SharedTrip {
  /// Returns the state to publish; nil before the first response or error.
  func state(worker: String, _ options: RelayWorkerOptions) -> TripState? {
    guard let model else { return nil }
    let (trip, failure, refreshed) = (model.currentTrip, model.failure, model.refreshed)
    guard trip != nil || failure != nil else { return nil }
    let (now, time) = (ContinuousClock.now, WallTime.now)
    func timestamp(_ instant: ContinuousClock.Instant) -> Timestamp? {
      Timestamp(secondsSince1970: time - (now - instant) / .seconds(1))
    }
    var state = TripState(
      name: name.description, refreshInterval: WireDuration(options.trip.refreshInterval),
      worker: worker, sequence: sequence + 1, routeFormatType: options.trip.routeFormat,
      view: options.trip.view)
    state.refreshTime = refreshed.flatMap(timestamp)
    state.pollTime = failure == nil ? state.refreshTime : timestamp(now)
    state.error = failure.map { failure in
      var error = PollError(failure.error, redact: options.redact)
      error.since = timestamp(failure.since)
      error.count = UInt32(clamping: failure.count)
      return error
    }
    if let oversize {
      state.error = PollError(
        status: RPCStatus(
          code: Int32(StatusCode.resourceExhausted.rawValue),
          message: "the trip is too large for the relay: \(oversize.message)"),
        origin: .local, since: timestamp(now), count: 1, isClientError: true)
      return state
    }
    state.trip = trip
    if let trip { state.changed = FieldMask(changesFrom: published ?? Trip(), to: trip) }
    return state
  }
}

extension PollError {
  /// Creates the message of an error, without its headers and trailers.
  fileprivate init(_ error: CallError, redact: (String) -> String) {
    self.init()
    let details = error.details.map(\.any).filter { detail in
      let text = String(decoding: detail.value, as: UTF8.self)
      return redact(text) == text
    }
    status = RPCStatus(
      code: Int32(truncatingIfNeeded: error.code.rawValue), message: redact(error.message),
      details: details)
    origin =
      switch error.origin {
      case .server: .server
      case .transport: .transport
      case .local: .local
      }
    isClientError = error.kind == .client
  }
}
