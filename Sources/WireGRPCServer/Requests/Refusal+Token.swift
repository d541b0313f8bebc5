package import WireGRPC
import WireProtobuf

extension RPCStatus {
  /// Fleet Engine's status for a call without a token.
  package static let tokenIsMissing = refusedToken(
    .unauthenticated, "CREDENTIALS_MISSING",
    "Request is missing required authentication credential.")

  /// Fleet Engine's status for a call whose token it does not accept.
  ///
  /// - Parameter reason: that of `google.rpc.ErrorInfo`.
  package static func refusedToken(
    _ code: StatusCode, _ reason: String, _ message: String
  ) -> RPCStatus {
    let info = ErrorInfo(
      reason: reason, domain: "googleapis.com",
      metadata: ["service": "fleetengine.googleapis.com"])
    return RPCStatus(
      code: Int32(code.rawValue), message: message, details: [AnyMessage(packing: info)])
  }
}

extension Refusal {
  package static let tokenIsMissing = Refusal(.tokenIsMissing)
}
