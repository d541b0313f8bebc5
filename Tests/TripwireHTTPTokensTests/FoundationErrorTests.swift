import Foundation
import Testing

@testable import WireGRPC

/// Errors of Foundation, which ``WireGRPC`` does not import.
@Suite struct FoundationErrorTests {
  @Test(arguments: [
    (POSIXError(.ECONNREFUSED), StatusCode.unavailable), (POSIXError(.ENETUNREACH), .unavailable),
    (POSIXError(.ENOENT), .internal),
  ])
  func systemErrorsOfTheNetworkAreUnavailable(error: POSIXError, code: StatusCode) {
    #expect(CallError(from: "the token provider", error).code == code)
  }
}
