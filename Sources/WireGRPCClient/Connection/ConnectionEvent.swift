import WireGRPC

extension Connection {
  /// What a connection reports to its owner.
  enum Event {
    /// The socket is connected: other attempts can be given up.
    case connected
    case ready
    /// There may be room for more calls.
    case hasRoom
    /// It accepts no more calls.
    case draining
    /// The peer sent GOAWAY because of too many pings.
    case pingedTooOften
    /// The call ended with OK.
    case callEnded(Call)
    /// The call, or this attempt of it, failed.
    indirect case attemptFailed(Call, CallError)
    /// The peer did not process these calls, oldest first; they need another connection.
    case callsUnprocessed([Call])
    /// The last event. With a failure, it never became ready.
    indirect case closed(ConnectionFailure?)
  }
}
