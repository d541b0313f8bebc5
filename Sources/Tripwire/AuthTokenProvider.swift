/// Where the tokens come from that prove to Fleet Engine who is asking.
///
/// It is asked once for every call, at the same time from many tasks: keep a token until it is
/// about to expire. It has as long as the call has, and is cancelled with it.
///
/// What it throws fails the call with UNAUTHENTICATED, with what it threw in the message and as the
/// `underlyingError`. A
/// ``CallError`` keeps its code, UNAVAILABLE for instance, unless that is one that only a server may
/// give: NOT_FOUND becomes INTERNAL (gRFC A54). The token itself appears in no error, log or trace.
public protocol AuthTokenProvider: Sendable {
  /// A JWT or an OAuth access token for the call, without "Bearer ".
  func token(for context: AuthorizationContext) async throws -> String
}

/// What a token is asked for. A consumer's token is only good for one trip.
public struct AuthorizationContext: Sendable, Hashable {
  /// The resource of the call, `providers/{provider}/trips/{trip}`.
  public var resourceName: String
  /// The bare ID, as in the claim `tripid`; nil when the call is not about one trip.
  public var tripID: String?
  /// The bare ID, as in the claim `vehicleid`; nil when the call is not about one vehicle.
  public var vehicleID: String?

  public init(resourceName: String, tripID: String? = nil, vehicleID: String? = nil) {
    self.resourceName = resourceName
    self.tripID = tripID
    self.vehicleID = vehicleID
  }
}

/// Always the same token: for tests, tools and calls that end before it expires.
public struct FixedToken: AuthTokenProvider {
  private let token: String

  /// - Throws: ``TokenError`` when the token is empty or may not be sent.
  public init(_ token: String) throws(TokenError) {
    try TokenError.check(token)
    self.token = token
  }

  public func token(for context: AuthorizationContext) -> String { token }
}

extension FixedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Does not show the token.
  public var description: String { "FixedToken(<redacted>)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
