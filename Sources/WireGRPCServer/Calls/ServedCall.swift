package import WireGRPC

/// A call that a server receives, for its observers.
package struct ServedCall: Sendable {
  /// "/package.Service/Method"; any text if the client does not speak gRPC.
  package let path: String
  package let authority: String
  /// The client's address, "127.0.0.1:51234".
  package let peer: String

  package init(path: String, authority: String, peer: String) {
    self.path = path
    self.authority = authority
    self.peer = peer
  }

  /// Whether the path has the form of the path of a method.
  package var namesMethod: Bool {
    RequestHead.isMethod(path) && !path.utf8.contains(UInt8(ascii: "?"))
  }

  /// An event of a served call.
  package enum Event: Sendable {
    /// An event of the exchange. `start` comes first, and `end` once, last. An error of this server's
    /// own has the origin ``CallError/Origin/local``, with CANCELLED if the client canceled
    /// the call or disconnected.
    case exchange(CallEvent)
    /// The reason for the chosen response.
    case match(String)
  }

  /// Receives the events of a call on the server's thread. It must return soon.
  package typealias Listener = @Sendable (Event) -> Void

  /// Observes a server. Returns nil for a call that it ignores.
  package typealias Observer = @Sendable (ServedCall) -> Listener?
}
