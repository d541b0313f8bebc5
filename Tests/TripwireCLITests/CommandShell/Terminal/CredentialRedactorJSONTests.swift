import Testing
import WireGRPC
import WireGRPCClient
import WireProtobuf

@testable import CommandShell

@Suite(.timeLimit(.minutes(20))) struct CredentialRedactorJSONTests {
  /// A console on which a call was made with some metadata.
  private func console(
    after metadata: Metadata, isTerminal: Bool = false
  ) async throws -> (TestConsole, Console) {
    let test = TestConsole(isTerminal: isTerminal)
    let console = test.console
    var configuration = ChannelConfiguration(security: .plaintext, failFast: true)
    configuration.redactor = console.redactor
    let channel = try Channel(target: "ipv4:127.0.0.1:1", configuration: configuration)
    _ = try? await channel.unary(path: "/a/B", [], options: CallOptions(metadata: metadata))
    await channel.close()
    return (test, console)
  }

  @Test(arguments: [false, true]) func credentialsAreMaskedOnStderr(isTerminal: Bool) async throws {
    let (test, console) = try await console(
      after: ["authorization": "Bearer hushhush", "x-session": "whispers"],
      isTerminal: isTerminal)
    console.error("not hushhush, aHVzaGh1c2g= or whispers\n")
    console.warn("hushhush")
    #expect(test.error == "not ********, ***********= or ********\nwarning: ********\n")
  }

  /// Piped output is data and stays unchanged.
  @Test func credentialsOnStdoutAreMaskedOnATerminal() async throws {
    for isTerminal in [false, true] {
      let (test, console) = try await console(
        after: ["authorization": "Bearer hushhush"], isTerminal: isTerminal)
      #expect(console.print("{\"a\":\"hushhush\"}\n") == .success)
      #expect(test.output == "{\"a\":\"\(isTerminal ? "********" : "hushhush")\"}\n")
    }
  }

  @Test func nothingIsMaskedBeforeACall() {
    let test = TestConsole()
    test.console.error("hushhush \u{e9}")
    #expect(test.error == "hushhush \u{e9}")
  }

  /// Credentials that overlap a JSON escape, or contain characters that JSON escapes.
  @Test(arguments: [
    ("nhushhush", "\nhushhush", #""\n********""#),
    ("u0085hushhush", "\u{85}hushhush", #""\u0085********""#),
    ("a\"hushhush\\hushhush", "a\"hushhush\\hushhush", #""a\"********\\********""#),
    ("hushhush", "\\hushhush", #""\\********""#),
    ("hush\",\"b\":\"hush", "hush\",\"b\":\"hush", #""hush\",\"b\":\"hush""#),
  ])
  func maskedTextStaysValidJSON(secret: String, text: String, shown: String) async throws {
    let (test, console) = try await console(after: ["x-api-key": .text(secret)])
    console.error(quoted(text))
    #expect(test.error == shown)
  }

  @Test(arguments: [
    ("a\"b\\c\"d\\e\"f\\g\"h", #"a\"b\\c\"d\\e\"f\\g\"h"#),
    ("gru\u{df}-gru\u{df}", "gru\u{df}-gru\u{df}"), (",\"message\":\"", #",\"message\":\""#),
    ("\"attempts\":1", #"\"attempts\":1"#), ("earlierAttempts", "earlierAttempts"),
  ])
  func maskedReportStaysValidJSON(secret: String, escaped: String) async throws {
    let (test, console) = try await console(after: ["x-api-key": .text(secret)])
    let error = CallError(code: .unauthenticated, message: "no: \(secret)", origin: .server)
    _ = console.report(ErrorReport(error, hint: nil), as: .json)
    let shown = try Struct(jsonString: test.error)
    let stars = String(repeating: "*", count: secret.utf8.count)
    #expect(shown.fields["message"] == "no: \(stars)")
    #expect(shown.fields["code"] == "UNAUTHENTICATED")
    #expect(!test.error.dropFirst(20).contains("no: " + escaped))
  }

  @Test func credentialsInBase64DetailsAreMasked() async throws {
    let (test, console) = try await console(after: ["authorization": "Bearer hushhush"])
    let value = [10, 8] + Array("hushhush".utf8)
    let report = ErrorReport(
      CallError(
        code: .unauthenticated, message: "",
        details: [.other(AnyMessage(typeUrl: "a/b", value: value))], origin: .server), hint: nil)
    _ = console.report(report, as: .json)
    let shown = Base64.encode([10, 8] + Array("********".utf8), padded: true)
    #expect(test.error.contains("\"value\":\"\(shown)\""))
  }
}
