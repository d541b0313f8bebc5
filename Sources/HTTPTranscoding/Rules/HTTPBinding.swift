import DynamicProtobuf
import ProtobufDescriptors
import WireProtobuf

/// One way to call a method over HTTP.
struct HTTPBinding: Sendable {
  enum Body: Sendable {
    case none
    /// All fields that are not in the path.
    case wholeRequest
    /// One message.
    case field(DynamicProtobuf.FieldDescriptor, MessageDescriptor)
  }

  let method: ServiceDescriptor.Method
  /// `GET`; `*` for any.
  let verb: String
  let template: PathTemplate
  let variables: [FieldPath]
  let body: Body
  /// The field of the response that is its body; nil for the whole response.
  let responseField: DynamicProtobuf.FieldDescriptor?

  /// The bindings of a method; none if it has no HTTP rule.
  static func all(
    of method: ServiceDescriptor.Method, in pool: DescriptorPool
  ) throws(InvalidHTTPRule) -> [HTTPBinding] {
    guard let options = method.proto.options,
      let rule = try? MethodExtensions(serializedBytes: options.serializedBytes()).http
    else { return [] }
    return try ([rule] + rule.additionalBindings).map { rule throws(InvalidHTTPRule) in
      try HTTPBinding(rule, method, pool)
    }
  }

  private init(
    _ rule: HttpRule, _ method: ServiceDescriptor.Method, _ pool: DescriptorPool
  ) throws(InvalidHTTPRule) {
    func invalid(_ reason: String) -> InvalidHTTPRule {
      InvalidHTTPRule(method: method.path, reason: reason)
    }
    let path: String
    switch rule.pattern {
    case .get(let template): (verb, path) = ("GET", template)
    case .put(let template): (verb, path) = ("PUT", template)
    case .post(let template): (verb, path) = ("POST", template)
    case .delete(let template): (verb, path) = ("DELETE", template)
    case .patch(let template): (verb, path) = ("PATCH", template)
    case .custom(let pattern): (verb, path) = (pattern.kind, pattern.path)
    case nil: throw invalid("it has no path")
    }
    guard let template = PathTemplate(path) else { throw invalid("invalid path \(path)") }
    self.method = method
    self.template = template
    variables = try template.variables.map { variable throws(InvalidHTTPRule) in
      do throws(FieldPath.Failure) {
        return try FieldPath(variable.field, of: method.input, in: pool)
      } catch {
        throw invalid("\(variable.field) \(error.reason)")
      }
    }
    switch rule.body {
    case "": body = .none
    case "*": body = .wholeRequest
    default:
      guard let field = method.input[rule.body], field.cardinality == .singular,
        case .message(let index) = field.type
      else { throw invalid("the body \(rule.body) is not a message") }
      body = .field(field, pool.messages[index])
    }
    responseField = method.output[rule.responseBody]
    guard responseField?.isMessage ?? rule.responseBody.isEmpty else {
      throw invalid("the response body \(rule.responseBody) is not a message")
    }
  }
}

extension DynamicProtobuf.FieldDescriptor {
  fileprivate var isMessage: Bool {
    if case .message = type, cardinality == .singular { true } else { false }
  }
}

/// An HTTP rule that cannot be followed.
package struct InvalidHTTPRule: Error, Hashable, CustomStringConvertible {
  let method: String
  let reason: String

  package var description: String { "HTTP rule of \(method): \(reason)" }
}
