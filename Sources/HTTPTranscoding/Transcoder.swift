package import DynamicProtobuf
package import WireGRPC
import WireProtobuf

/// Converts HTTP requests with JSON into calls, by the HTTP rules of the methods (google/api/http.proto, AIP-127).
package struct Transcoder: Sendable {
  private let pool: DescriptorPool
  /// Those that apply first come first.
  private let bindings: [HTTPBinding]

  /// - Throws: ``InvalidHTTPRule``
  package init(_ pool: DescriptorPool) throws(InvalidHTTPRule) {
    self.pool = pool
    var bindings: [HTTPBinding] = []
    for service in pool.services {
      for method in service.methods { bindings += try HTTPBinding.all(of: method, in: pool) }
    }
    self.bindings = bindings.sorted { $0.precedence > $1.precedence }
  }

  /// Finds the method of a request, and decodes the request.
  ///
  /// - Throws: ``TranscodingError``: NOT_FOUND if there is no method, otherwise INVALID_ARGUMENT.
  package func call(_ request: HTTPCallRequest) throws(TranscodingError) -> TranscodedCall {
    guard request.path.percentDecoded() != nil else {
      throw .invalid("", "the path is not valid percent-encoding of UTF-8")
    }
    let verb = request.method == "HEAD" ? "GET" : request.method
    let found = bindings.compactMap { binding in
      binding.template.values(in: request.path).map { (binding, $0) }
    }
    guard let (binding, values) = found.first(where: { [verb, "*"].contains($0.0.verb) }) else {
      let path = request.path.shortened(to: 200).quotedForDisplay
      let others = found.map(\.0.verb).sorted().joined(separator: ", ")
      throw TranscodingError(
        .notFound,
        others.isEmpty
          ? "no method has the path \(path)" : "\(path) has no method \(verb), only \(others)")
    }
    var parameters = SystemParameters()
    parameters.fields = request.fieldMask ?? ""
    var bytes = try body(request, binding)
    bytes += try query(request, binding, &parameters)
    for (variable, value) in zip(binding.variables, values) {
      bytes += try mapError(variable.serializedBytes(value.value)) { (error: FieldPath.Failure) in
        TranscodingError.invalid(value.field, error.reason)
      }
    }
    return TranscodedCall(
      path: binding.method.path, request: bytes, token: parameters.token,
      format: ResponseFormat(
        type: binding.method.output, field: binding.responseField, pool: pool,
        selection: try selection(parameters.fields, binding), isPretty: parameters.isPretty,
        numbersEnums: parameters.numbersEnums))
  }

  private func body(
    _ request: HTTPCallRequest, _ binding: HTTPBinding
  ) throws(TranscodingError) -> [UInt8] {
    guard !request.body.isEmpty else { return [] }
    guard request.hasJSON else {
      throw .invalid(
        "",
        "the content-type is \((request.contentType ?? "").shortened(to: 64).quotedForDisplay),"
          + " and must be application/json")
    }
    do throws(JSONDecodingError) {
      switch binding.body {
      case .none: break
      case .wholeRequest:
        return try DynamicMessage(jsonUTF8Bytes: request.body, as: binding.method.input, in: pool)
          .serializedBytes()
      case .field(let field, let type):
        var message = DynamicMessage(binding.method.input, in: pool)
        message.set(
          field, .message(try DynamicMessage(jsonUTF8Bytes: request.body, as: type, in: pool)))
        return message.serializedBytes()
      }
    } catch {
      throw .invalid("", "invalid JSON in the body: \(error)")
    }
    throw .invalid("", "\(binding.verb) \(request.path.shortened(to: 200)) has no body")
  }

  /// Returns the fields in the query.
  private func query(
    _ request: HTTPCallRequest, _ binding: HTTPBinding, _ system: inout SystemParameters
  ) throws(TranscodingError) -> [UInt8] {
    var bytes: [UInt8] = []
    var seen: Set<String> = []
    for (name, text) in try request.parameters {
      // A field may have the name of a system parameter.
      if binding.method.input[name] == nil, try system.read(name, text) { continue }
      do throws(FieldPath.Failure) {
        let field = try FieldPath(name, of: binding.method.input, in: pool)
        guard binding.takesParameter(field) else {
          throw FieldPath.Failure(reason: "is in the path or the body, and cannot be a parameter")
        }
        guard field.isRepeated || seen.insert(field.name).inserted else {
          throw FieldPath.Failure(reason: "has several values")
        }
        bytes += try field.serializedBytes(text)
      } catch {
        throw .invalid(name.shortened(to: 200), error.reason)
      }
    }
    return bytes
  }

  private func selection(
    _ fields: String, _ binding: HTTPBinding
  ) throws(TranscodingError) -> FieldSelection? {
    guard !fields.isEmpty else { return nil }
    guard let paths = FieldsParameter(fields)?.paths else {
      throw .invalid("fields", "has parentheses that do not match")
    }
    guard !paths.isEmpty else { return nil }
    do throws(FieldSelection.PathError) {
      return try FieldSelection(paths, of: binding.method.output, in: pool)
    } catch {
      throw .invalid(
        "fields",
        "has the path \(error.path.shortened(to: 200).quotedForDisplay), which is not one of"
          + " \(binding.method.output.fullName)")
    }
  }

  /// Returns the HTTP status and the JSON for a status other than OK.
  package func error(_ status: RPCStatus) -> (httpStatus: Int, json: [UInt8]) {
    let code = StatusCode(rawValue: Int(status.code)).named
    let details = status.details.compactMap { detail in
      pool.message(AnyMessage.messageName).flatMap { try? DynamicMessage(detail, as: $0, in: pool) }
    }
    let json = JSONWriter.bytes(pretty: true) { json in
      json.object {
        $0.object("error") { json in
          json.member("code", code.httpStatus)
          json.member("message", status.message)
          json.member("status", "\(code)")
          let shown = details.filter { $0.json != nil }
          if !shown.isEmpty {
            json.member("details", shown) { json, detail in
              try? detail.writeJSON(to: &json, DynamicJSONOptions(showsUnknownTypes: true))
            }
          }
        }
      }
    }
    return (code.httpStatus, json)
  }
}

extension HTTPBinding {
  /// A verb in the path and literals take precedence.
  fileprivate var precedence: Int { (template.verb == nil ? 0 : 1 << 16) + template.literals }

  /// Whether a field is neither in the path nor in the body.
  fileprivate func takesParameter(_ field: FieldPath) -> Bool {
    if variables.contains(field) { return false }
    return switch body {
    case .none: true
    case .wholeRequest: false
    case .field(let body, _): field.root !== body
    }
  }
}
