package import ProtobufDescriptors
package import WireTLS

/// How a recording is served.
package struct ReplayConfiguration: Sendable {
  /// A numeric host and a port, "127.0.0.1:50051" or "[::1]:0", or ":50051" for all addresses of this
  /// machine, IPv6 and IPv4. With port 0 the kernel picks one.
  package var listen = "127.0.0.1:0"
  /// With what the server proves who it is; nil for plaintext HTTP/2.
  package var tls: TLSContext?
  /// How much faster than recorded time goes by: answers are those of the time since the first
  /// request, and take as long as they took. Nil for step by step: each request gets the next answer,
  /// at once. To a script only its delays matter, which nil leaves as they are.
  package var speed: Int?
  /// Whether the first answer comes after the last, instead of the last again and again.
  package var loops = false
  /// Whether calls of what was recorded want a bearer token, whichever.
  package var requiresToken = false
  /// What reflection tells of types besides what was recorded; asked for when a client asks first.
  package var descriptors: @Sendable () -> [FileDescriptorProto] = { [] }
  /// Who is told what becomes of each call. With nobody there, nothing is made for them.
  package var observers: [ServedCall.Observer] = []
  var limits = ServerLimits()

  package init() {}
}
