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

  /// Is told what becomes of a call, on the server's thread: it must return soon. `start` comes first,
  /// and `end` once, last: what this server found by itself has the origin
  /// ``CallError/Origin/local``, with CANCELLED where the client gave up or has gone.
  package typealias Listener = @Sendable (CallEvent) -> Void

  /// Who observes a server: gives nil for a call that it does not want to hear of.
  package typealias Observer = @Sendable (ServedCall) -> Listener?
}
