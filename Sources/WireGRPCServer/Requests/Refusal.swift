package import WireGRPC
package import WireHTTP2

/// The status with which the server itself ends a call.
package struct Refusal: Error, Equatable {
  /// The HTTP status: 200 unless the request is not gRPC.
  var httpStatus: Int
  var status: Status
  /// Set if advice to the user depends on the cause.
  var cause: HeaderField?

  /// - Parameter details: a serialized google.rpc.Status, or empty.
  package init(
    _ code: StatusCode, _ message: String, _ details: [UInt8] = [], cause: HeaderField? = nil,
    httpStatus: Int = 200
  ) {
    self.httpStatus = httpStatus
    status = Status(code, message, details)
    self.cause = cause
  }

  /// - Parameter status: with a code that gRPC knows.
  package init(_ status: RPCStatus) {
    self.init(
      StatusCode(rawValue: Int(status.code)), status.message, status.serializedBytes())
  }

  package var trailers: [HeaderField] { status.headerFields + (cause.map { [$0] } ?? []) }

  /// The only header list of the response (Trailers-Only).
  package var headers: [HeaderField] {
    [
      HeaderField(":status", "\(httpStatus)"), HeaderField("content-type", "application/grpc"),
      HeaderField("grpc-accept-encoding", ContentCoding.accepted),
    ] + trailers
  }
}
