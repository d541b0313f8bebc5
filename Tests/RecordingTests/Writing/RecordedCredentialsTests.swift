import Testing

@testable import Recording
@testable import WireGRPC

/// No credential of a call is in its recording.
@Suite(.timeLimit(.minutes(20))) struct RecordedCredentialsTests {
  @Test func credentialsInMetadataAreNotRecorded() async throws {
    let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
    var metadata: Metadata = [
      "authorization": "Bearer hush", "Cookie": "hush", "x-goog-api-key": "hush",
      "x-auth-token": "hush", "x-my-secret-bin": .binary(Array("hush".utf8)),
      "x-plain": .text(token), "x-oauth": "ya29.hush", "x-other": "bearer hush",
      "x-basic": "Basic hush", "x-user": "anna",
      "grpc-trace-bin": .binary([1]), "grpc-previous-rpc-attempts": "1", "te": "trailers",
      "content-encoding": "gzip",
    ]
    try metadata.append("x-marked", "hush", isSensitive: true)
    let error = CallError(code: .aborted, message: "", trailers: metadata, origin: .server)
    let entries = try await CallRecorderTests.recording { recorder in
      RecordedCallDriver(recorder).send(
        .start(metadata: metadata, timeout: nil), .responseHeaders(metadata),
        .end(.failure(error)))
    }
    let rest = Logs.metadata([("x-user", Array("anna".utf8)), ("grpc-trace-bin", [1])])
    #expect(
      entries[0].payload
        == .clientHeader(
          BinlogClientHeader(
            metadata: rest, methodName: "/test.Echo/Say", authority: "localhost:1")))
    #expect(entries[1].payload == .serverHeader(BinlogServerHeader(metadata: rest)))
    #expect(entries[2].payload == .trailer(BinlogTrailer(metadata: rest, statusCode: 10)))
  }

  /// A server echoes the request's credential wherever it can.
  @Test(arguments: [
    ("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl", "authorization", "Bearer "),
    ("an-opaque-one-of-somebody", "x-auth-token", ""),
    ("AIzaSyD-9tSrke72PouQ", "x-goog-api-key", ""),
    ("eight888", "x-session", ""), ("c2Vzc2lvbjpvbmU", "cookie", "lang=en; id="),
  ])
  func echoedCredentialsAreMasked(
    secret: String, name: String, before: String
  ) async throws {
    let bytes = Array(secret.utf8)
    var echo: Metadata = [
      "x-bare": .text(secret), "x-said": .text(before + secret), "x-quoted": "\"\(secret)\"",
      "x-json": "{\"authorization\":\"Bearer \(secret)\"}", "x-bare-bin": .binary(bytes),
      "x-in-bin": .binary([1] + bytes + [2]), "x-url": "https://h/?access_token=\(secret)&a=b",
      "x-half": .text(String(secret.prefix(16))),
      "grpc-status-details-bin": .binary([8, 5, 18] + bytes),
    ]
    // Metadata names have no capitals.
    if secret.lowercased() == secret { echo.append(unchecked: "x-\(secret)", "") }
    let error = CallError(
      code: .unauthenticated, message: "the token \(secret) is expired", trailers: echo,
      origin: .server)
    let gzip = try #require(Deflater.gzip(bytes + [UInt8](repeating: 1, count: 300)))
    let entries = try await CallRecorderTests.recording("*{h;m:60}") { recorder in
      RecordedCallDriver(recorder).send(
        .start(metadata: [name: .text(before + secret), "x-user": "anna"], timeout: nil),
        .message(request: bytes), .responseHeaders(echo), .message(response: [1, 2] + bytes),
        .message(response: gzip, isCompressed: true),
        .message(response: [UInt8](repeating: 1, count: 60 - bytes.count) + bytes),
        .message(response: [UInt8](repeating: 1, count: 61 - bytes.count) + bytes),
        .message(response: [UInt8](repeating: 1, count: 52) + bytes), .end(.failure(error)))
      // The next call is not affected.
      RecordedCallDriver(recorder).send(
        .start(metadata: ["x-user": "berta"], timeout: nil), .message(response: [1, 2, 3]))
    }
    let next = try #require(entries.firstIndex { $0.callId == 2 })
    let written = Logs.bytes(Array(entries[..<next]))
    for start in 0...bytes.count - 8 {
      #expect(!written.contains(bytes[start..<start + 8]))
    }
    #expect(written.contains(Array("anna".utf8)))
    #expect(entries.last?.payload == Logs.message([1, 2, 3]))
    guard case .trailer(let trailer) = entries[next - 1].payload else {
      Issue.record("no trailer")
      return
    }
    let stars = String(repeating: "*", count: bytes.count)
    #expect(trailer.statusMessage == "the token \(stars) is expired")
    #expect(
      trailer.metadata?.entry.first { $0.key == "x-url" }?.value
        == Array("https://h/?access_token=\(stars)&a=b".utf8))
  }

  /// Also covers a token that was replaced, and any position of a token in the metadata.
  @Test(arguments: [
    ("authorization", "Bearer an-opaque-one-of-anna", "an-opaque-one-of-anna"),
    ("authorization", "Bearer an-opaque-one-of-anna", "YW4tb3BhcXVlLW9uZS1vZi1hbm5h"),
    ("authorization", "Basic YW5uYTpjb3JyZWN0LWhvcnNl", "correct-horse"),
    ("cookie", "c2Vzc2lvbjpvbmU", "c2Vzc2lvbjpvbmU"),
    ("x-ext", "{\"t\":\"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln\"}", "eyJzdWIiOiJhIn0.c2ln"),
  ])
  func credentialsEchoedInLaterCallsAreMasked(
    name: String, value: String, secret: String
  ) async throws {
    let said = CallError(
      code: .unauthenticated, message: "not \(secret)", trailers: ["x-said": .text(secret)],
      origin: .server)
    let entries = try await CallRecorderTests.recording { recorder in
      for (name, value) in [(name, value), ("authorization", "Bearer the-next"), ("x-user", "a")] {
        RecordedCallDriver(recorder).send(
          .start(metadata: [name: .text(value)], timeout: nil),
          .message(response: Array(secret.utf8)), .end(.failure(said)))
      }
    }
    #expect(entries.count == 9)
    let written = Logs.bytes(entries)
    let bytes = Array(secret.utf8)
    for start in 0...bytes.count - 8 { #expect(!written.contains(bytes[start..<start + 8])) }
    for entry in entries.filter({ $0.type == .serverTrailer }) {
      guard case .trailer(let trailer) = entry.payload else { continue }
      #expect(trailer.statusMessage == "not " + String(repeating: "*", count: bytes.count))
    }
  }
}
