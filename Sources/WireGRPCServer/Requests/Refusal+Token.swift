package import WireGRPC
import WireProtobuf

extension RPCStatus {
  /// Fleet Engine's status for a call without a token.
  package static let tokenIsMissing = {
    let info = ErrorInfo(
      reason: "CREDENTIALS_MISSING", domain: "googleapis.com",
      metadata: ["service": "fleetengine.googleapis.com"])
    return RPCStatus(
      code: Int32(StatusCode.unauthenticated.rawValue),
      message: "Request is missing required authentication credential.",
      details: [AnyMessage(packing: info)])
  }()
}

extension Refusal {
  package static let tokenIsMissing = {
    let status = RPCStatus.tokenIsMissing
    return Refusal(.unauthenticated, status.message, status.serializedBytes())
  }()
}
