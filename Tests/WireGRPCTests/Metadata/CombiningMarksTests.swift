import TestSupport
import Testing
import WireProtobuf

@testable import WireGRPC
@testable import WireHTTP2

/// To compare a long run of combining marks with another string, Swift first sorts it, which takes
/// a quarter of a second for 64 KiB. Values from a server must therefore not be compared as a
/// whole.
@Suite struct CombiningMarksTests {
  private let marks = "e" + String(repeating: "\u{301}\u{323}", count: 12_000)

  /// Expects that `body` takes less than a quarter of the time of one comparison.
  private func expectFast(_ body: () -> Void) {
    let other = "e" + String(repeating: "\u{323}\u{301}", count: 12_000)
    let comparison = processorTime { #expect(marks == other) }
    let shortest = (0..<3).map { _ in processorTime(body) }.min()
    #expect(shortest ?? .zero < comparison / 4)
  }

  @Test func contentTypeIsFast() {
    expectFast {
      #expect(ContentType(marks) == .other)
      #expect(ContentType("application/grpc" + marks) == .almostGRPC)
    }
  }

  @Test func contentCodingIsFast() {
    expectFast {
      if case .unsupported = ContentCoding(marks) {} else { Issue.record() }
    }
  }

  @Test(arguments: ["", "a/", "type.googleapis.com/google.rpc.ErrorInfo"])
  func typeOfADetailIsFast(_ prefix: String) {
    let any = AnyMessage(typeUrl: prefix + marks)
    expectFast {
      if case .other = ErrorDetail(any) {} else { Issue.record() }
    }
  }

  @Test(arguments: ["", ",", " "])
  func binaryMetadataIsFast(_ prefix: String) {
    let field = HeaderField("x-bin", prefix + marks)
    expectFast { #expect(!Metadata(received: [field]).isEmpty) }
  }

  @Test func statusIsFast() {
    let fields = ["grpc-status", "grpc-message", "grpc-retry-pushback-ms", "x"].map {
      HeaderField($0, marks)
    }
    expectFast {
      if case .malformed = ResponseStatus(fields).code {} else { Issue.record() }
      #expect(RetryPushback(fields) == .never)
    }
  }
}
