import Testing
import WireGRPC
import WireHTTP2

@Suite struct RequestHeadersTests {
  let headers = RequestHeaders(
    scheme: "https", authority: "fleet.example", userAgent: UserAgent.text(prefix: nil))

  @Test func theOrderIsThatOfTheSpecification() {
    let fields = headers.fields(
      path: "/s/m", timeout: "15000000u", compression: .gzip, previousAttempts: 2,
      metadata: ["x-b": "2", "x-a": "1"])
    #expect(
      fields.map(\.name) == [
        ":method", ":scheme", ":path", ":authority", "grpc-timeout", "te", "content-type",
        "grpc-encoding", "grpc-accept-encoding", "user-agent", "grpc-previous-rpc-attempts", "x-b",
        "x-a",
      ])
    #expect(
      fields.map(\.value) == [
        "POST", "https", "/s/m", "fleet.example", "15000000u", "trailers", "application/grpc",
        "gzip", "identity,gzip,deflate", UserAgent.text(prefix: nil), "2", "2", "1",
      ])
  }

  @Test func whatIsNotNeededIsNotSent() {
    let names = headers.fields(path: "/s/m", timeout: nil, metadata: Metadata()).map(\.name)
    #expect(!names.contains("grpc-timeout"))
    #expect(!names.contains("grpc-previous-rpc-attempts"))
    #expect(!names.contains("grpc-encoding"))
  }

  @Test func theUserAgentNamesLanguageVariantAndVersion() {
    #expect(UserAgent.text(prefix: nil).hasPrefix("grpc-swift-tripwire/\(UserAgent.version) ("))
    #expect(UserAgent.text(prefix: "my-app/1.0").hasPrefix("my-app/1.0 grpc-swift-tripwire/"))
  }
}
