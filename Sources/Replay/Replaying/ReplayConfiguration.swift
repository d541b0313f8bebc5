package import ProtobufDescriptors
package import WireGRPCServer

/// How a recording is served.
package struct ReplayConfiguration: Sendable {
  /// A numeric host and a port, "127.0.0.1:50051" or "[::1]:0", or ":50051" for all addresses of this
  /// machine, IPv6 and IPv4. With port 0 the kernel chooses one.
  package var listen = "127.0.0.1:0"
  /// TLS, limits and observers.
  package var server = ServerConfiguration()
  /// How much faster than recorded the clock of the recording runs: a request gets the response of that
  /// time, which takes as long as it took. Nil ignores the recorded times: each request gets the next
  /// response at once. In a script only the delays matter, and nil leaves them as they are.
  package var speed: Int?
  /// Whether the first response follows the last. Otherwise the last one is repeated.
  package var loops = false
  /// Whether recorded calls require a bearer token; any token is accepted.
  package var requiresToken = false
  /// Types that reflection describes besides the recorded ones; called when a client first asks.
  package var descriptors: @Sendable () -> [FileDescriptorProto] = { [] }

  package init() {}
}
