import Testing

@testable import WireSystem

@Suite struct IOErrorTests {
  @Test func describesTheOperationAndTheReason() {
    let error = IOError(code: .connectionRefused, operation: "connect to 127.0.0.1:1")
    #expect(error.description == "connect to 127.0.0.1:1: Connection refused")
  }

  @Test func unknownErrorNumbersAreKept() {
    #expect(IOError.Code(rawValue: 99_999).description.contains("99999"))
  }
}
