import WireGRPC
package import WireHTTP2

/// The headers that responses have in common.
package enum ResponseHeaders {
  /// The beginning of each response's first header list.
  package static let common = [
    HeaderField(":status", "200"), HeaderField("content-type", "application/grpc"),
  ]

  /// ``common`` as a list. To make both lists takes a twentieth of a short call.
  static let list = HeaderList(common)

  /// The trailers of a call that succeeded.
  static let success = HeaderList(Status(.ok).headerFields)

  /// The largest header list that is sent, as RFC 9113 §6.5.2 counts it.
  package static let sizeLimit = 1 << 20
}
