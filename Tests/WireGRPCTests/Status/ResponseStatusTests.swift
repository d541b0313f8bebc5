import Testing
import WireHTTP2

@testable import WireGRPC

@Suite struct ResponseStatusTests {
  @Test(arguments: [
    ("-1", "-1, which is not a gRPC code"), ("2147483648", "2147483648, which is not a gRPC code"),
    (
      String(repeating: "9", count: 100),
      String(repeating: "9", count: 32) + "…, which is not a gRPC code"
    ), ("", #""", which is not a number"#), ("-", #""-", which is not a number"#),
    ("5x", #""5x", which is not a number"#), ("+5", #""+5", which is not a number"#),
    ("--5", #""--5", which is not a number"#),
  ])
  func malformedStatusIsDescribed(value: String, description: String) {
    let status = ResponseStatus([HeaderField("grpc-status", value)])
    #expect(status.code == .malformed("grpc-status is " + description))
  }

  @Test(arguments: [0, 5, 17, 999, 2_147_483_647])
  func numbersAreCodes(number: Int) {
    let status = ResponseStatus([HeaderField("grpc-status", "\(number)")])
    #expect(status.code == .present(StatusCode(rawValue: number)))
  }
}
