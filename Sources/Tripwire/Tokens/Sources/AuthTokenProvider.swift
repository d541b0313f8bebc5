/// Where the tokens come from that prove to Fleet Engine who is asking.
///
///     struct OurBackend: AuthTokenProvider {
///       func token(for context: AuthorizationContext) async throws -> AuthToken {
///         AuthToken(try await fetch("tokens/\(context.tripID ?? "")"))
///       }
///     }
///
/// ``FleetServices`` keeps what it returns in a ``TokenCache``: it is asked again when a token is
/// about to expire or the server has refused one, once for all calls that wait. It runs off the
/// threads that make the calls, for several contexts at the same time. It has as long as the calls
/// that wait for it have, and is cancelled with the last of them.
///
/// What it throws fails the call with UNAUTHENTICATED, with what it threw in the message and as the
/// `underlyingError`. A ``CallError`` keeps its code, UNAVAILABLE for instance, unless that is one that
/// only a server may give: NOT_FOUND becomes INTERNAL (gRFC A54). The token itself appears in no error,
/// log or trace.
public protocol AuthTokenProvider: Sendable {
  /// A token for the call.
  func token(for context: AuthorizationContext) async throws -> AuthToken

  /// The context whose token is good for this one, too: tokens are kept by it. The context itself by
  /// default, as a consumer's token is good for one trip; one and the same for all where a token is.
  func sharedContext(for context: AuthorizationContext) -> AuthorizationContext
}

extension AuthTokenProvider {
  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext { context }
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

extension AuthorizationContext {
  /// Of tokens that are good for every call.
  package static let any = AuthorizationContext(resourceName: "")

  /// Of a trip or a vehicle by its name, or of whatever else has this name.
  package init(of resourceName: String) {
    self.init(resourceName: resourceName)
    let parts = resourceName.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "providers" else { return }
    switch parts[2] {
    case "trips": tripID = String(parts[3])
    case "vehicles": vehicleID = String(parts[3])
    default: break
    }
  }
}

/// A provider that has its tokens at hand and needs nobody to keep them.
package protocol ImmediateTokenProvider: AuthTokenProvider {
  /// The token as it is now, without a wait.
  func immediateToken(for context: AuthorizationContext) throws -> AuthToken

  /// Whether it never has another token.
  var isFixed: Bool { get }

  /// Why it has no other token than one that the server refused, after "and".
  var lackOfOthers: String { get }
}
