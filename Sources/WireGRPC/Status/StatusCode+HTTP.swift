extension StatusCode {
  /// The code for an HTTP answer that carries no `grpc-status` (gRPC http-grpc-status-mapping.md).
  ///
  /// The mapping is narrow on purpose: such an answer is a proxy's, and says little about the call.
  package init(httpStatus: Int) {
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
