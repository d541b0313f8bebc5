import Testing

@testable import CommandCalls
@testable import CommandShell
@testable import WireGRPC
@testable import WireGRPCServer

@Suite struct AccessLogTests {
  private static let getTrip = "/maps.fleetengine.v1.TripService/GetTrip"

  /// The line of a call, without its latency.
  private static func line(
    _ path: String = getTrip, _ request: [UInt8]? = Array("\u{1a}\u{2}ab".utf8),
    _ end: Result<Metadata, CallError> = .success(Metadata()), match: String? = nil
  ) async throws -> String {
    let test = TestConsole()
    let lines = try LineQueue(test.console)
    let log = AccessLog(lines, clock: test.console.clock)
    let listener = log.listener(
      to: ServedCall(path: path, authority: "localhost", peer: "127.0.0.1:9"))
    listener(.exchange(.start(metadata: Metadata(), timeout: nil)))
    if let request {
      let message = CallMessage(message: .init(isCompressed: false, bytes: request), limit: .max)
      listener(.exchange(.requestMessage(message)))
    }
    listener(.exchange(.requestEnd))
    if let match { listener(.match(match)) }
    listener(.exchange(.end(end)))
    await lines.close()
    return test.error.replacing(#/\d+\.\d ms/#, with: "TIME")
  }

  @Test func eachCallIsOneLine() async throws {
    #expect(
      try await Self.line()
        == "2026-11-21T09:30:00.000Z 127.0.0.1:9 \(Self.getTrip) ab OK TIME\n")
    #expect(
      try await Self.line("/test.Echo/Say", nil)
        == "2026-11-21T09:30:00.000Z 127.0.0.1:9 /test.Echo/Say — OK TIME\n")
  }

  @Test func logsWhyNoRecordedCallMatched() async throws {
    let recorded = CallError(code: .notFound, message: "no such trip", origin: .server)
    #expect(
      try await Self.line(Self.getTrip, nil, .failure(recorded)).hasSuffix("NOT_FOUND TIME\n"))
    let own = CallError(code: .notFound, message: "t2 is not in this recording", origin: .local)
    #expect(
      try await Self.line(Self.getTrip, nil, .failure(own))
        .hasSuffix("NOT_FOUND TIME: t2 is not in this recording\n"))
  }

  @Test func logsTheMatchedCall() async throws {
    let match = "call 3, same request"
    #expect(try await Self.line(match: match).hasSuffix(" ab OK TIME: call 3, same request\n"))
    let recorded = CallError(code: .notFound, message: "no such trip", origin: .server)
    #expect(
      try await Self.line(Self.getTrip, nil, .failure(recorded), match: match)
        .hasSuffix(" NOT_FOUND TIME: call 3, same request\n"))
    let own = CallError(code: .notFound, message: "message 2 is another", origin: .local)
    #expect(
      try await Self.line(Self.getTrip, nil, .failure(own), match: match)
        .hasSuffix(" NOT_FOUND TIME: message 2 is another\n"))
  }

  @Test func textFromClientsIsEscaped() async throws {
    let name = Array("\u{1a}\u{7}a\u{1b}[2J\nb".utf8)
    let line = try await Self.line("/a b/\u{202e}", nil)
    #expect(line.contains(#" /a\u{20}b/\u{202e} — OK"#))
    #expect(try await Self.line(Self.getTrip, name).contains(#" a\u{1b}[2J\nb OK"#))
  }
}
