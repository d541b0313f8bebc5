import WireGRPC
import WireTransport

extension Connection {
  /// What a connection reports to its owner.
  enum Event {
    /// Once the socket is connected, other attempts can be given up.
    indirect case reached(StreamStage)
    case ready
    /// There may be room for more calls.
    case hasRoom
    case draining
    case pingedTooOften
    case callEnded(Call)
    indirect case attemptFailed(Call, CallError)
    /// The peer did not process these calls, oldest first; they need another connection.
    case callsUnprocessed([Call])
    /// The last event. With a failure, it never became ready.
    indirect case closed(ConnectionFailure?)
  }
}
