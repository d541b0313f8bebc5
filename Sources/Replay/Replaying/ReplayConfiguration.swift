package import ProtobufDescriptors
package import WireGRPCServer

/// The configuration of a replay server.
package struct ReplayConfiguration: Sendable {
  /// A numeric host and a port, "127.0.0.1:50051" or "[::1]:0", or ":50051" for all addresses of this
  /// machine, IPv6 and IPv4. With port 0 the kernel chooses one.
  package var listen = "127.0.0.1:0"
  /// TLS, limits and observers.
  package var server = ServerConfiguration()
  /// The speed of the recording's clock: a request gets the response of that time, with its recorded
  /// latency. Nil ignores the recorded times: each request gets the next response at once. A script has
  /// only delays, which nil leaves unchanged.
  package var speed: Int?
  /// Whether the first response follows the last. Otherwise the last one is repeated.
  package var loops = false
  /// Whether recorded calls require a bearer token; any token is accepted.
  package var requiresToken = false
  /// Types that reflection describes besides the recorded ones; called when a client first asks.
  package var descriptors: @Sendable () -> [FileDescriptorProto] = { [] }

  package init() {}
}
