/// A method of Fleet Engine, without the types of its messages.
package struct FleetMethod: Sendable {
  package let path: String
  /// The timeout and the retry policy of Fleet Engine's service config.
  package let timeout: Duration?
  package let retryPolicy: RetryPolicy?
  /// Returns the resources of a request in binary form; nil if it is not valid.
  package let context: @Sendable ([UInt8]) -> AuthorizationContext?

  init<Request: AuthorizedRequest, Response>(_ method: MethodDescriptor<Request, Response>) {
    path = method.path
    timeout = method.timeout
    retryPolicy = method.retryPolicy
    context = { (try? Request(serializedBytes: $0))?.authorizationContext }
  }
}
