/// The limits that keep any client from exhausting the server.
struct ServerLimits: Sendable {
  /// Connections open at a time, if there are file descriptors for them; more wait in the kernel.
  var connections = 10_000
  /// Streams open at a time on one connection.
  var streams = 100
  /// Bytes of one request.
  var requestSize = 4 << 20
  /// Bytes of all requests that are being received.
  var heldBytes = 64 << 20
  /// Clients at a time that have started a TLS handshake and not sent SETTINGS yet; more wait in the
  /// kernel. No other limit bounds the memory of their handshakes.
  var handshakes = 512
  /// From a connection to its first SETTINGS.
  var handshakeTime: Duration = .seconds(10)
  /// From a connection to its first SETTINGS while the number of handshakes is at its limit, and other
  /// clients wait.
  var crowdedHandshakeTime: Duration = .seconds(2)
  /// From a request's headers to all messages that the response depends on.
  var requestTime: Duration = .seconds(60)
  /// For the client's next message in a streaming call.
  var conversationTime: Duration = .seconds(300)
  /// Without progress while the client holds up a call or does not read.
  var stallTime: Duration = .seconds(30)
  /// With open calls but without a byte from the client, until the server sends a PING.
  var silenceTime: Duration = .seconds(60)
  /// For the client to acknowledge that PING.
  var pingTime: Duration = .seconds(20)
  /// Without a call.
  var idleTime: Duration = .seconds(300)
  /// For the acknowledgment of the PING that follows the first GOAWAY.
  var roundTripTime: Duration = .seconds(1)
  /// For the client to close after the last GOAWAY: closing first could lose it.
  var lingerTime: Duration = .milliseconds(500)
  /// For calls to end once the server stops.
  var drainTime: Duration = .seconds(5)

  init() {}
}
