import WireGRPC
import WireProtobuf

extension Refusal {
  /// Fleet Engine's status for a call without a token.
  package static let tokenIsMissing = {
    let info = ErrorInfo(
      reason: "CREDENTIALS_MISSING", domain: "googleapis.com",
      metadata: ["service": "fleetengine.googleapis.com"])
    let status = RPCStatus(
      code: Int32(StatusCode.unauthenticated.rawValue),
      message: "Request is missing required authentication credential.",
      details: [AnyMessage(packing: info)])
    return Refusal(.unauthenticated, status.message, status.serializedBytes())
  }()
}
