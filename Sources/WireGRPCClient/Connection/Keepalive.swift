/// Whether and when a channel makes sure that its server is still there, by an HTTP/2 PING (gRFC A8).
///
/// Without it a peer that vanished without a word is noticed only when the kernel gives up, after
/// many minutes. Servers allow it within bounds of their own: one that is asked too often goes away
/// with `too_many_pings`, which doubles ``time`` for the connections that the channel makes then.
///
/// There is no limit to how many pings are sent while no call sends or receives anything, as other
/// clients have it (C-core: two): it would end the watch over just those calls that depend on it, the
/// long quiet ones. What a server thinks too much it says, and is heeded.
public struct Keepalive: Sendable, Hashable {
  /// How long nothing may have come from the server before it is asked; 10 s at least, what is less
  /// counts as 10 s.
  public var time: Duration
  /// How long it may then stay silent, above 0; after that the connection is lost and its calls fail
  /// with UNAVAILABLE.
  public var timeout: Duration
  /// Whether the server is also asked while there is no call. Most servers take that amiss.
  public var withoutCalls: Bool

  public init(time: Duration, timeout: Duration = .seconds(20), withoutCalls: Bool = false) {
    self.time = time
    self.timeout = timeout
    self.withoutCalls = withoutCalls
  }
}
