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

extension StatusCode {
  /// The HTTP status for this code (google/rpc/code.proto).
  package var httpStatus: Int {
    switch self {
    case .ok: 200
    case .cancelled: 499
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    default: 500
    }
  }
}
