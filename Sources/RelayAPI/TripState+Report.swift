package import FleetEngineAPI
package import Tripwire
import WireGRPC
import WireProtobuf

extension TripState {
  /// Creates the state of a trip after a poll. The worker, the sequence and the form of the request are
  /// the caller's.
  ///
  /// - Parameters:
  ///   - name: the name of the trip, as it was wanted.
  ///   - trip: the trip with everything that is known; nil before the first response.
  ///   - previous: the trip of the preceding state, for ``changed``.
  ///   - failure: why the trip cannot be refreshed; nil if the poll returned it.
  ///   - refreshed: when the server last confirmed the trip.
  ///   - time: the present time.
  ///   - redact: masks credentials in the error; see ``PollError/init(_:since:count:redact:)``.
  package init(
    name: String, trip: Trip?, after previous: Trip?, failure: TripFailure?,
    refreshed: ContinuousClock.Instant?, refreshInterval: Duration, at time: StateTime,
    redact: (String) -> String = { $0 }
  ) {
    self.init(
      name: name, trip: trip,
      changed: trip.map { FieldMask(changesFrom: previous ?? Trip(), to: $0) },
      error: failure.map {
        PollError(
          $0.error, since: time.timestamp(of: $0.since), count: $0.count,
          redact: redact)
      },
      pollTime: time.timestamp, refreshTime: refreshed.map(time.timestamp(of:)),
      refreshInterval: WireDuration(refreshInterval))
  }
}

extension TripReport {
  /// Creates the report of a state that was received at an instant.
  ///
  /// Times are compared with other times of the same clock only: `poll_time` with the other times of the
  /// worker, and `age` is added.
  package init(_ state: TripState, received: ContinuousClock.Instant) {
    let age = state.age?.bounded ?? .zero
    let poll = state.pollTime
    var failure = state.error.map { error in
      TripFailure(
        error: CallError(error),
        since: received - age - (error.since == nil ? .zero : poll?.since(error.since) ?? .zero),
        count: max(1, Int(error.count)))
    }
    if let status = state.relayError {
      failure = TripFailure(error: CallError(relay: status), since: received)
    }
    self.init(
      trip: state.trip, age: age + (poll?.since(state.refreshTime) ?? .zero), failure: failure,
      refreshInterval: state.refreshInterval.map(\.bounded), isCutOff: state.relayError != nil)
  }
}
