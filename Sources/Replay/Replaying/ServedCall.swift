package import WireGRPC

/// A call that a server gets, for those who observe it.
package struct ServedCall: Sendable {
  /// "/package.Service/Method", or what a client that speaks no gRPC has sent in its place.
  package let path: String
  package let authority: String
  /// The client's address, "127.0.0.1:51234".
  package let peer: String

  package init(path: String, authority: String, peer: String) {
    self.path = path
    self.authority = authority
    self.peer = peer
  }

  /// Whether the path may be that of a method.
  package var namesMethod: Bool {
    RequestHead.isMethod(path) && !path.utf8.contains(UInt8(ascii: "?"))
  }

  /// Something that happens in the course of a call.
  package enum Event: Sendable {
    /// What client and server send. `start` comes first, and `end` once, last: an error that this server
    /// found by itself has the origin ``CallError/Origin/local``, with CANCELLED where the client gave
    /// up or has gone.
    case exchange(CallEvent)
    /// Which call of the recording or the script answers, and why, in words.
    case match(String)
  }

  /// Takes the events of a call on the server's thread: it must return soon.
  package typealias Listener = @Sendable (Event) -> Void

  /// Who observes a server: gives nil for a call that it does not want to hear of.
  package typealias Observer = @Sendable (ServedCall) -> Listener?
}
