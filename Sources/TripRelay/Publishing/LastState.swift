import RelayAPI
import WireProtobuf

/// The last state of a resource in the stream.
struct LastState: Sendable {
  let state: ResourceState
  /// When NATS stored it, in seconds since 1970, by the server's clock.
  let time: Double

  /// - Parameters:
  ///   - state: an empty one if the message is not a state of the resource. The next state replaces it.
  ///   - number: of the message in the stream.
  init(_ state: ResourceState, number: UInt64, time: Double) {
    var state = state
    state.streamSequence = number
    self.state = state
    self.time = time
  }

  /// - Parameter term: of the worker.
  func found(by worker: String, term: UInt64) -> ResourcePublication.Found {
    ResourcePublication.Found(
      number: state.streamSequence, sequence: state.sequence,
      isOwn: state.worker == worker && state.term == term, isFinal: state.isFinal)
  }

  /// When Fleet Engine confirmed the resource, by the server's clock.
  var confirmed: Double {
    guard let poll = state.pollTime?.secondsSince1970, let refresh = state.refreshTime else {
      return time
    }
    return time - max(0, poll - refresh.secondsSince1970)
  }
}
