/// What a server allows its clients, so that none of them can exhaust it.
struct ServerLimits {
  /// Connections open at a time, if there are descriptors for them; more wait in the kernel.
  var connections = 10_000
  /// Streams open at a time on one connection.
  var streams = 100
  /// Bytes of one request.
  var requestSize = 4 << 20
  /// Bytes of all requests on their way in.
  var heldBytes = 64 << 20
  /// Clients at a time that have begun a TLS handshake and not sent SETTINGS yet, for whom nothing but
  /// the number of connections says how much memory they take; more wait in the kernel.
  var handshakes = 512
  /// From a connection to its first SETTINGS.
  var handshakeTime: Duration = .seconds(10)
  /// The same while there are as many handshakes as are allowed, and others wait for their end.
  var crowdedHandshakeTime: Duration = .seconds(2)
  /// From a request's headers to all it takes to answer it.
  var requestTime: Duration = .seconds(60)
  /// For the client to go on where it takes turns with the server.
  var conversationTime: Duration = .seconds(300)
  /// With calls open, between two signs of life.
  var stallTime: Duration = .seconds(30)
  /// With calls open that wait for nothing but the server, between two signs of life, after which the
  /// client is asked for one.
  var silenceTime: Duration = .seconds(60)
  /// For it to give one.
  var pingTime: Duration = .seconds(20)
  /// Without a call.
  var idleTime: Duration = .seconds(300)
  /// For the answer to the PING that follows a first GOAWAY.
  var roundTripTime: Duration = .seconds(1)
  /// For the client to close after a last GOAWAY: closing first could lose it.
  var lingerTime: Duration = .milliseconds(500)
  /// For calls to end once the server stops.
  var drainTime: Duration = .seconds(5)
}
