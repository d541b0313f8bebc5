import Testing
import WireSystem

@testable import WireGRPC

@Suite struct NetworkErrorTests {
  /// An error of Foundation.
  struct FoundationError: Error, CustomTestStringConvertible {
    let _domain: String
    let _code: Int

    init(_ domain: String, _ code: Int) {
      _domain = domain
      _code = code
    }

    static func url(_ code: Int) -> FoundationError { FoundationError("NSURLErrorDomain", code) }

    var testDescription: String { "\(_domain) \(_code)" }
  }

  @Test(arguments: [
    FoundationError.url(-1), .url(-1001), .url(-1003), .url(-1004), .url(-1005), .url(-1006),
    .url(-1009),
    .url(-1011), .url(-1017), .url(-1018), .url(-1020), .url(-1200), .url(-1202), .url(-2000),
    FoundationError("NSPOSIXErrorDomain", Int(ECONNREFUSED)),
    FoundationError("NSPOSIXErrorDomain", Int(ETIMEDOUT)),
  ])
  func networkErrorsAreUnavailable(error: FoundationError) {
    let callError = CallError(from: "the token provider", error)
    #expect(callError.code == .unavailable && callError.kind == .serverOrNetwork)
    #expect(callError.underlyingError is FoundationError)
  }

  /// Canceled, a bad URL, an unsupported one, a missing user, App Transport Security, a missing file.
  @Test(arguments: [
    FoundationError.url(-999), .url(-1000), .url(-1002), .url(-1012), .url(-1013), .url(-1021),
    .url(-1022),
    .url(-1100), .url(-1205), .url(-3000), FoundationError("NSPOSIXErrorDomain", Int(ENOENT)),
    FoundationError("NSPOSIXErrorDomain", .max), FoundationError("shop", -1001),
  ])
  func errorsOfTheAppAreNot(error: FoundationError) {
    let callError = CallError(from: "the token provider", error)
    #expect(callError.code == .internal && callError.kind == .client)
  }
}
