public import WireProtobuf

/// A method of a service: where it is, what it takes and returns, and its defaults.
///
/// Generated code has one static value per method (`TripServiceMethods.getTrip`).
public struct MethodDescriptor<Request: Message, Response: Message>: Sendable {
  /// The full name of the service, "maps.fleetengine.v1.TripService".
  public let service: String
  /// The name of the method, "GetTrip".
  public let method: String
  /// The `:path` of a call, "/maps.fleetengine.v1.TripService/GetTrip".
  public let path: String
  /// Who sends how many messages; each kind has its own call on ``Channel``, which refuses the others.
  public let kind: MethodKind
  /// What of the request goes into the routing header (google.api.routing).
  public var routing: RoutingRule<Request>?
  /// How long a call may take when its ``CallOptions`` do not say; nil is for ever.
  public var timeout: Duration?
  /// When a failed call is tried again where its ``CallOptions`` do not say; nil is never, but for
  /// what the server never acted on, which is sent again once.
  public var retryPolicy: RetryPolicy?

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
