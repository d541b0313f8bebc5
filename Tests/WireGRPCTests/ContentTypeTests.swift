import Testing
import WireGRPC

@Suite struct ContentTypeTests {
  @Test(
    arguments: [
      ("application/grpc", ContentType.grpc), ("application/grpc+proto", .grpc),
      ("application/grpc; charset=utf-8", .grpc), ("Application/GRPC", .grpc),
      ("application/grpc-web", .almostGRPC), ("application/grpcx", .almostGRPC),
      ("application/json", .other), ("text/html; x=application/grpc", .other), ("", .other),
    ])
  func values(_ value: String, _ type: ContentType) {
    #expect(ContentType(value) == type)
  }

  /// To compare it with another string Swift would sort the accents for a quarter of a second.
  @Test func aLongRunOfAccentsTakesNoTime() {
    let accents = "e" + String(repeating: "\u{301}\u{323}", count: 16_000)
    let clock = ContinuousClock()
    let least = (0..<3).map { _ in
      clock.measure {
        #expect(ContentType(accents) == .other)
        #expect(ContentType("application/grpc" + accents) == .almostGRPC)
        if case .unsupported = ContentCoding(accents) {} else { Issue.record() }
      }
    }.min()
    #expect(least ?? .zero < .milliseconds(50))
  }

  @Test func none() {
    #expect(ContentType(nil) == .other)
  }
}
