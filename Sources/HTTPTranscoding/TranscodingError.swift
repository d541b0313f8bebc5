package import WireGRPC
import WireProtobuf

/// Why a request is not a call.
package struct TranscodingError: Error, Hashable {
  package let status: RPCStatus

  init(_ code: StatusCode, _ message: String, _ details: [AnyMessage] = []) {
    status = RPCStatus(code: Int32(code.rawValue), message: message, details: details)
  }

  /// - Parameter field: the parameter or field with the error; empty for the whole request.
  static func invalid(_ field: String, _ description: String) -> TranscodingError {
    let violation = BadRequest.FieldViolation(field: field, description: description)
    return TranscodingError(
      .invalidArgument, field.isEmpty ? description : "\(field) \(description)",
      [AnyMessage(packing: BadRequest(fieldViolations: [violation]))])
  }
}
