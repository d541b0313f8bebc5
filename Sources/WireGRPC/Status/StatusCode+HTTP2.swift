package import WireHTTP2

extension StatusCode {
  /// The code for a stream that the peer reset before its trailers (gRPC PROTOCOL-HTTP2, Errors).
  ///
  /// STREAM_CLOSED has no entry there: the peer is confused, as it is for its neighbours.
  package init(resetWith errorCode: HTTP2ErrorCode) {
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
