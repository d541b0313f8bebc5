import TestSupport
import Testing
import WireGRPC
import WireHTTP2
import WireProtobuf

/// To compare a long run of accents with another string Swift sorts it first, which takes a quarter
/// of a second for 64 KiB. So nothing that a server sends may be compared as a whole.
@Suite struct AccentsTests {
  private let accents = "e" + String(repeating: "\u{301}\u{323}", count: 12_000)

  /// Expects a fraction of the time that one comparison takes.
  private func expectNoTime(_ body: () -> Void) {
    let other = "e" + String(repeating: "\u{323}\u{301}", count: 12_000)
    let comparison = processorTime { #expect(accents == other) }
    let least = (0..<3).map { _ in processorTime(body) }.min()
    #expect(least ?? .zero < comparison / 4)
  }

  @Test func asContentType() {
    expectNoTime {
      #expect(ContentType(accents) == .other)
      #expect(ContentType("application/grpc" + accents) == .almostGRPC)
    }
  }

  @Test func asContentCoding() {
    expectNoTime {
      if case .unsupported = ContentCoding(accents) {} else { Issue.record() }
    }
  }

  @Test(arguments: ["", "a/", "type.googleapis.com/google.rpc.ErrorInfo"])
  func asTypeOfADetail(_ beginning: String) {
    let any = AnyMessage(typeUrl: beginning + accents)
    expectNoTime {
      if case .other = ErrorDetail(any) {} else { Issue.record() }
    }
  }

  @Test(arguments: ["", ",", " "])
  func asBinaryMetadata(_ beginning: String) {
    let field = HeaderField("x-bin", beginning + accents)
    expectNoTime { #expect(!Metadata(received: [field]).isEmpty) }
  }

  @Test func asStatus() {
    let fields = ["grpc-status", "grpc-message", "grpc-retry-pushback-ms", "x"].map {
      HeaderField($0, accents)
    }
    expectNoTime {
      if case .malformed = ResponseStatus(fields).code {} else { Issue.record() }
      #expect(RetryPushback(fields) == .never)
    }
  }
}
