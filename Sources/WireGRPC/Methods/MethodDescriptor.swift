public import WireProtobuf

/// A method of a service: its path, its message types and its defaults.
///
/// Generated code has one static value per method (`TripServiceMethods.getTrip`).
public struct MethodDescriptor<Request: Message, Response: Message>: Sendable {
  /// The full name of the service, "maps.fleetengine.v1.TripService".
  public let service: String
  /// The name of the method, "GetTrip".
  public let method: String
  /// The `:path` of a call, "/maps.fleetengine.v1.TripService/GetTrip".
  public let path: String
  /// The number of messages on each side. Each kind has its own function of ``Channel``, which
  /// rejects methods of other kinds.
  public let kind: MethodKind
  /// The rule that derives the routing header from the request (google.api.routing).
  public var routing: RoutingRule<Request>?
  /// The timeout of a call whose ``CallOptions`` have none; nil for no limit.
  public var timeout: Duration?
  /// The retry policy of a call whose ``CallOptions`` have none. With nil, only a call that the
  /// server never acted on is sent again.
  public var retryPolicy: RetryPolicy?

  /// Creates a descriptor from its properties. ``path`` follows from the two names.
  public init(
    service: String, method: String, kind: MethodKind = .unary,
    routing: RoutingRule<Request>? = nil, timeout: Duration? = nil,
    retryPolicy: RetryPolicy? = nil
  ) {
    self.service = service
    self.method = method
    self.kind = kind
    self.path = "/\(service)/\(method)"
    self.routing = routing
    self.timeout = timeout
    self.retryPolicy = retryPolicy
  }
}
