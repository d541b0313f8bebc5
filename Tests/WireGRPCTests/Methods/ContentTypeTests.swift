import Testing

@testable import WireGRPC

@Suite struct ContentTypeTests {
  @Test(
    arguments: [
      ("application/grpc", ContentType.grpc), ("application/grpc+proto", .grpc),
      ("application/grpc; charset=utf-8", .grpc), ("Application/GRPC", .grpc),
      ("application/grpc-web", .almostGRPC), ("application/grpcx", .almostGRPC),
      ("application/json", .other), ("text/html; x=application/grpc", .other), ("", .other),
    ])
  func classifiesContentTypes(_ value: String, _ type: ContentType) {
    #expect(ContentType(value) == type)
  }

  @Test func missingContentTypeIsOther() {
    #expect(ContentType(nil) == .other)
  }
}
