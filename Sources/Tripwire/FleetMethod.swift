package import WireProtobuf

/// A method of Fleet Engine, without the types of its messages.
package struct FleetMethod: Sendable {
  package let path: String
  package let requestType: any AuthorizedRequest.Type
  package let responseType: any Message.Type
  /// The timeout and the retry policy of Fleet Engine's service config.
  package let timeout: Duration?
  package let retryPolicy: RetryPolicy?
  /// All methods by their paths.
  package static let all = Dictionary(
    uniqueKeysWithValues: (TripService.methods + VehicleService.methods + DeliveryService.methods)
      .map { ($0.path, $0) })

  init<Request: AuthorizedRequest, Response>(_ method: MethodDescriptor<Request, Response>) {
    path = method.path
    requestType = Request.self
    responseType = Response.self
    timeout = method.timeout
    retryPolicy = method.retryPolicy
  }

  /// Returns the resources of a request in binary form; nil if it is not valid.
  package func context(_ request: [UInt8]) -> AuthorizationContext? {
    (try? requestType.init(serializedBytes: request))?.authorizationContext
  }
}
