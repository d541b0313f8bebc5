import WireHTTP2

extension StatusCode {
  /// Maps the error code of RST_STREAM to a code, for a stream that the peer reset before its
  /// trailers (gRPC PROTOCOL-HTTP2, Errors).
  ///
  /// The specification has no entry for STREAM_CLOSED. It maps to INTERNAL like the other codes for
  /// protocol errors.
  init(resetWith errorCode: HTTP2ErrorCode) {
    self =
      switch errorCode {
      case .noError, .protocolError, .internalError, .flowControlError, .settingsTimeout,
        .streamClosed, .frameSizeError, .compressionError, .connectError, .http11Required:
        .internal
      case .refusedStream: .unavailable
      case .cancel: .cancelled
      case .enhanceYourCalm: .resourceExhausted
      case .inadequateSecurity: .permissionDenied
      default: .unknown
      }
  }
}
