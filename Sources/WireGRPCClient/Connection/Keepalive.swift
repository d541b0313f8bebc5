/// Whether and when a channel checks that its server is still there, by an HTTP/2 PING (gRFC A8).
///
/// Without it, a peer that vanishes is noticed only when the kernel gives up, after many minutes.
/// Servers limit pings: one that is pinged too often sends GOAWAY with `too_many_pings`, which doubles
/// ``time`` for the channel's later connections.
///
/// The number of pings without data in between is not limited, unlike in other clients (C-core:
/// two). With such a limit, long calls without traffic would no longer be checked, and they need
/// the check most.
public struct Keepalive: Sendable, Hashable {
  /// How long the server may be silent before it is pinged; at least 10 s, shorter values count as 10 s.
  public var time: Duration
  /// How long the server may take to send anything after a ping, above 0. After that the connection is
  /// lost and its calls fail with UNAVAILABLE.
  public var timeout: Duration
  /// Whether to ping without calls too. Most servers treat that as abuse.
  public var withoutCalls: Bool

  /// Creates the settings of pings. See the properties for the limits.
  public init(time: Duration, timeout: Duration = .seconds(20), withoutCalls: Bool = false) {
    self.time = time
    self.timeout = timeout
    self.withoutCalls = withoutCalls
  }
}
