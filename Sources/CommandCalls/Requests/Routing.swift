import DynamicProtobuf
import ProtobufDescriptors
import Tripwire

/// The result of a method's routing rule (google.api.routing) for a request.
struct Routing {
  /// The value of the field that the rule names, "providers/p/trips/t".
  let value: String
  /// The value of `x-goog-request-params`; nil if the field does not match.
  let parameter: String?

  /// Nil for a method without a rule.
  init?(_ method: ServiceDescriptor.Method, _ request: DynamicMessage) {
    guard let options = method.proto.options,
      let routing = try? MethodExtensions(serializedBytes: options.serializedBytes()).routing
    else { return nil }
    var found: (value: String, parameter: String?)?
    // If several parameters match, the last one is used.
    for rule in routing.routingParameters {
      let value = request.text(at: rule.field)
      let rule = RoutingRule<DynamicMessage>(field: rule.field, template: rule.pathTemplate) { _ in
        value
      }
      let parameter = rule.parameter(for: request)
      if parameter != nil || found == nil { found = (value, parameter) }
    }
    guard let found else { return nil }
    (value, parameter) = found
  }
}
