import Testing

@testable import WireGRPC
@testable import WireHTTP2

@Suite struct RequestHeadersTests {
  let headers = RequestHeaders(
    scheme: "https", authority: "fleet.example", userAgent: UserAgent.text(prefix: nil))

  @Test func writesHeadersInTheOrderOfTheSpecification() throws {
    var buffer = RequestHeaders.Buffer()
    try headers.write(
      path: "/s/other", timeout: .seconds(9), metadata: PreparedMetadata(["x-c": "3"]), to: &buffer)
    try headers.write(
      path: "/s/m", timeout: .seconds(15), compression: .gzip, previousAttempts: 2,
      metadata: PreparedMetadata(["x-b": "2", "x-a": "1"]), to: &buffer)
    let fields = buffer.list.fields
    #expect(
      fields.map(\.name) == [
        ":method", ":scheme", ":path", ":authority", "grpc-timeout", "te", "content-type",
        "grpc-accept-encoding", "user-agent", "grpc-encoding", "grpc-previous-rpc-attempts", "x-b",
        "x-a",
      ])
    #expect(
      fields.map(\.value) == [
        "POST", "https", "/s/m", "fleet.example", "15000m", "trailers", "application/grpc",
        "identity,gzip,deflate", UserAgent.text(prefix: nil), "gzip", "2", "2", "1",
      ])
  }

  @Test func reusedBufferHasOnlyTheHeadersOfTheCall() throws {
    var buffer = RequestHeaders.Buffer()
    for timeout: Duration? in [
      .seconds(2), .seconds(2), .microseconds(7), .microseconds(8), nil, nil, .seconds(172_800),
    ] {
      for path in ["/s/m", "/s/m", "/s/n"] {
        try headers.write(
          path: path, timeout: timeout, metadata: PreparedMetadata(["x": "1"]), to: &buffer)
        var fresh = RequestHeaders.Buffer()
        try headers.write(
          path: path, timeout: timeout, metadata: PreparedMetadata(["x": "1"]), to: &fresh)
        #expect(buffer.list.fields == fresh.list.fields)
      }
    }
    #expect(buffer.list.fields.value(of: "grpc-timeout") == "172800S")
  }

  @Test func omitsOptionalHeaders() throws {
    var buffer = RequestHeaders.Buffer()
    try headers.write(path: "/s/m", timeout: nil, metadata: PreparedMetadata([:]), to: &buffer)
    let names = buffer.list.fields.map(\.name)
    #expect(!names.contains("grpc-timeout"))
    #expect(!names.contains("grpc-previous-rpc-attempts"))
    #expect(!names.contains("grpc-encoding"))
  }

  @Test func userAgentNamesLanguageVariantAndVersion() {
    #expect(UserAgent.text(prefix: nil).hasPrefix("grpc-swift-tripwire/\(UserAgent.version) ("))
    #expect(UserAgent.text(prefix: "my-app/1.0").hasPrefix("my-app/1.0 grpc-swift-tripwire/"))
  }
}
