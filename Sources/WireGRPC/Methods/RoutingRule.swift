/// The part of a request that goes into `x-goog-request-params` (google.api.routing, AIP-4222).
///
/// The template names the parameter and the segments to match. With the template
/// `{provider_id=providers/*}`, the name `providers/p1/trips/t1` gives
/// `provider_id=providers%2Fp1`.
public struct RoutingRule<Request>: Sendable {
  /// The name of the matched field, "name" or "parent".
  public let field: String
  /// The name of the parameter and its segments in braces, `{provider_id=providers/*}`.
  public let template: String
  /// Returns the value of the field in a request.
  public let value: @Sendable (Request) -> String
  private let parsed: RoutingTemplate?

  /// Creates a rule from its properties.
  public init(field: String, template: String, value: @escaping @Sendable (Request) -> String) {
    self.field = field
    self.template = template
    self.value = value
    parsed = RoutingTemplate(template)
  }

  /// Returns the value of `x-goog-request-params` for a request, or nil if the field does not
  /// match.
  ///
  /// The match starts at the beginning of the field but need not reach its end, as in Google's Go
  /// and Node clients: the names of trips and vehicles continue after the provider.
  public func parameter(for request: Request) -> String? {
    parsed?.parameter(for: value(request))
  }
}
