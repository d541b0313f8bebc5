import Testing

@testable import WireGRPC

@Suite struct ContentTypeTests {
  @Test(
    arguments: [
      ("application/grpc", ContentType.grpc), ("application/grpc+proto", .grpc),
      ("application/grpc; charset=utf-8", .grpc), ("Application/GRPC", .grpc),
      ("application/grpc-web", .grpcWeb), ("application/grpc-web-text+proto", .grpcWeb),
      ("application/grpcx", .almostGRPC), ("Text/HTML; charset=utf-8", .html),
      ("application/xhtml+xml", .html), ("text/plain", .other),
      ("application/json", .other), ("text/html; x=application/grpc", .html), ("", .other),
    ])
  func classifiesContentTypes(_ value: String, _ type: ContentType) {
    #expect(ContentType(value) == type)
  }

  @Test func missingContentTypeIsOther() {
    #expect(ContentType(nil) == .other)
  }
}
