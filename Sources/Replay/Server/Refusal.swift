import WireGRPC
import WireHTTP2
import WireProtobuf

/// Why a request gets an answer that was not recorded.
struct Refusal: Error, Equatable {
  /// 200 unless the request is no gRPC at all.
  var httpStatus: Int
  var status: Status

  init(_ code: StatusCode, _ message: String, _ details: [UInt8] = [], httpStatus: Int = 200) {
    self.httpStatus = httpStatus
    status = Status(code, message, details)
  }

  /// The only header list of such an answer.
  var headers: [HeaderField] {
    [
      HeaderField(":status", "\(httpStatus)"), HeaderField("content-type", "application/grpc"),
      HeaderField("grpc-accept-encoding", ContentCoding.accepted),
    ] + status.headerFields
  }
}

extension Refusal {
  /// What Fleet Engine says to a call without a token.
  static let tokenIsMissing = {
    var info = ErrorInfo()
    info.reason = "CREDENTIALS_MISSING"
    info.domain = "googleapis.com"
    info.metadata = ["service": "fleetengine.googleapis.com"]
    var status = RPCStatus()
    status.code = Int32(StatusCode.unauthenticated.rawValue)
    status.message = "Request is missing required authentication credential."
    status.details = [AnyMessage(packing: info)]
    return Refusal(.unauthenticated, status.message, status.serializedBytes())
  }()
}
