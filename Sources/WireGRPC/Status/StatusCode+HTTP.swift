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
