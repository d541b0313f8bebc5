import Testing

@testable import WireHTTP2

@Suite struct HTTP2ErrorTests {
  @Test func codesHaveTheirNames() {
    #expect(HTTP2ErrorCode.refusedStream.description == "REFUSED_STREAM")
    #expect(HTTP2ErrorCode.http11Required.description == "HTTP_1_1_REQUIRED")
    #expect(HTTP2ErrorCode(rawValue: 0x1f).description == "ERROR_0x1f")
  }

  @Test func libraryErrorHasNumberNameAndMeaning() {
    let text = "\(HTTP2Error.library(-904, "the peer floods"))"
    #expect(text.hasPrefix("the peer floods: NGHTTP2_ERR_FLOODED (-904), Flooding was detected"))
    #expect("\(HTTP2Error.library(-1, "x"))".hasPrefix("x: NGHTTP2_ERR_UNKNOWN (-1)"))
  }

  @Test(arguments: [
    ("streamWindow", HTTP2Configuration { $0.streamWindow = -1 }),
    ("streamWindow", HTTP2Configuration { $0.streamWindow = 1 << 31 }),
    ("connectionWindow", HTTP2Configuration { $0.connectionWindow = 65_534 }),
    ("maxHeaderListSize", HTTP2Configuration { $0.maxHeaderListSize = 1 << 32 }),
    ("maxSendHeaderBlockLength", HTTP2Configuration { $0.maxSendHeaderBlockLength = -1 }),
    ("maxConcurrentStreams", HTTP2Configuration { $0.maxConcurrentStreams = -1 }),
    ("firstStreamID", HTTP2Configuration { $0.firstStreamID = 2 }),
  ])
  func optionOutOfRangeIsNamed(_ name: String, _ configuration: HTTP2Configuration) {
    let error = #expect(throws: HTTP2Error.self) {
      try HTTP2ClientSession(configuration: configuration)
    }
    #expect(error?.kind == .configuration)
    #expect(error?.detail.hasPrefix(name + " is ") == true)
  }
}
