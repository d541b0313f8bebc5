import Foundation
import FoundationNetworking
import Testing
import Tripwire

@testable import RidesharingConsumer

@Suite struct CallErrorTests {
  private enum Refusal: Error { case signedOut }
  private struct Closed: LocalizedError {
    var errorDescription: String? { "the shop is closed" }
  }

  private func userInfo(of cause: (any Error)?) -> [String: Any] {
    var error = CallError(code: .unauthenticated, message: "no token", origin: .local)
    error.underlyingError = cause
    return (error as NSError).userInfo
  }

  @Test func bridgesToNSErrorWithItsDetails() {
    let error = CallError(code: .unavailable, message: "gone", origin: .server) as NSError
    #expect(error.domain == "io.grpc")
    #expect(error.code == 14)
    #expect(error.userInfo["message"] as? String == "gone")
    #expect(error.userInfo["kind"] as? String == "serverOrNetwork")
    #expect(error.userInfo["details"] as? [String] == [])
    #expect(error.userInfo["reason"] == nil)
    #expect(error.userInfo[NSUnderlyingErrorKey] == nil)
  }

  @Test func reasonOfTheServerIsInTheUserInfo() {
    let info = ErrorInfo(reason: "SERVICE_DISABLED", domain: "googleapis.com")
    let error = CallError(
      code: .permissionDenied, message: "", details: [.errorInfo(info)], origin: .server)
    #expect((error as NSError).userInfo["reason"] as? String == "SERVICE_DISABLED")
  }

  @Test(
    arguments: [
      Refusal.signedOut, Closed(), URLError(.timedOut), NSError(domain: "shop", code: 7),
    ] as [Error])
  func underlyingErrorIsTheCause(cause: Error) throws {
    // An error of a GMTCAuthorization is described in one line, and is still the same object.
    for error in [cause, DescribedError.describing(cause)] {
      let found = try #require(userInfo(of: error)[NSUnderlyingErrorKey] as? NSError)
      #expect(found.domain == (cause as NSError).domain)
      #expect(found.code == (cause as NSError).code)
      #expect(found.localizedDescription == (cause as NSError).localizedDescription)
    }
  }
}
