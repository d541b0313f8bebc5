/// The limits that keep any client from exhausting the server.
package struct ServerLimits: Sendable {
  /// Connections open at a time, if there are file descriptors for them; more wait in the kernel.
  package var connections = 10_000
  /// Streams open at a time on one connection.
  package var streams = 100
  /// Bytes of one request.
  package var requestSize = 4 << 20
  /// Bytes of all requests that are being received.
  package var heldBytes = 64 << 20
  /// Clients at a time that have started a TLS handshake and not sent SETTINGS yet; more wait in the
  /// kernel. No other limit bounds the memory of their handshakes.
  package var handshakes = 512
  /// From a connection to its first SETTINGS.
  package var handshakeTime: Duration = .seconds(10)
  /// From a connection to its first SETTINGS while the number of handshakes is at its limit, and other
  /// clients wait.
  package var crowdedHandshakeTime: Duration = .seconds(2)
  /// From a request's headers to all messages that the response depends on.
  package var requestTime: Duration = .seconds(60)
  /// For the client's next message in a streaming call.
  package var conversationTime: Duration = .seconds(300)
  /// Without progress while the client holds up a call or does not read.
  package var stallTime: Duration = .seconds(30)
  /// With open calls but without a byte from the client, until the server sends a PING.
  package var silenceTime: Duration = .seconds(60)
  /// For the client to acknowledge that PING.
  package var pingTime: Duration = .seconds(20)
  /// Without a call.
  package var idleTime: Duration = .seconds(300)
  /// For the acknowledgment of the PING that follows the first GOAWAY.
  package var roundTripTime: Duration = .seconds(1)
  /// For the client to close after the last GOAWAY: closing first could lose it.
  package var lingerTime: Duration = .milliseconds(500)
  /// For calls to end once the server stops.
  package var drainTime: Duration = .seconds(5)

  package init() {}
}
