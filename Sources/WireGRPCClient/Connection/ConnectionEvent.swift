import WireGRPC

extension Connection {
  /// What a connection reports to its owner.
  enum Event {
    /// The socket is connected: other attempts can be given up.
    case connected
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
