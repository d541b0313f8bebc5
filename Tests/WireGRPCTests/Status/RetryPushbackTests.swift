import Testing

@testable import WireGRPC
@testable import WireHTTP2

@Suite struct RetryPushbackTests {
  private func pushback(_ values: String...) -> RetryPushback? {
    RetryPushback(
      [HeaderField("grpc-status", "14")]
        + values.map { HeaderField("grpc-retry-pushback-ms", $0) })
  }

  @Test func parsesADelay() {
    #expect(pushback("0") == .after(.zero))
    #expect(pushback("1500") == .after(.milliseconds(1500)))
    #expect(pushback("2147483647") == .after(.milliseconds(2_147_483_647)))
  }

  @Test(arguments: ["-1", "-2147483648", "", "x", "1.5", "1 ", "2147483648", "0x10"])
  func invalidDelaysMeanNever(value: String) {
    #expect(pushback(value) == .never)
  }

  @Test func repeatedValuesMeanNever() {
    #expect(pushback("1", "1") == .never)
  }

  @Test func missingValueIsNil() {
    #expect(pushback() == nil)
  }
}
