extension StatusCode {
  /// Maps an HTTP status, for a response without `grpc-status` (http-grpc-status-mapping.md).
  ///
  /// The mapping covers few statuses because such a response usually comes from a proxy and contains
  /// little about the call.
  init(httpStatus: Int) {
    self =
      switch httpStatus {
      case 400: .internal
      case 401: .unauthenticated
      case 403: .permissionDenied
      case 404: .unimplemented
      case 429, 502, 503, 504: .unavailable
      default: .unknown
      }
  }
}

extension StatusCode {
  /// The HTTP status of Google's APIs for this code (google/rpc/code.proto).
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
