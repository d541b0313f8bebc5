import Testing
import WireSystem

@testable import CommandCalls
@testable import CommandLine
@testable import CommandShell
@testable import Tripwire

@Suite struct GeneratedArticleTests {
  @Test func listsEveryExitCode() {
    let codes: [ExitCode] =
      [.success, .localFailure, .usage, .otherEnd, .timedOut, .conditionHeld, .brokenPipe]
      + (1...16).map(ExitCode.call)
    let rows = GeneratedArticle.exitCodes.text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    for code in codes {
      #expect(rows.count { $0.hasPrefix("| \(code.rawValue) |") } == 1, "\(code)")
    }
  }

  @Test(arguments: 1...16)
  func listsTheHintOfEveryStatus(code: Int) throws {
    let hint = Hint(
      endpoint: Troubleshooting.endpoint, subject: .resource(Troubleshooting.resource),
      hasToken: true)
    let error = CallError(
      code: StatusCode(rawValue: code), message: "", origin: .server, attempts: 1)
    guard let text = hint.text(for: error) else { return }
    let row = Troubleshooting.calls.first { $0.hint == text }
    #expect(row?.messages.contains { $0.hasPrefix("\(error.code)") } == true, "\(error.code)")
  }

  @Test func everyRowHasAHint() {
    let rows =
      Troubleshooting.connections + Troubleshooting.calls + Troubleshooting.reasons
      + Troubleshooting.replays + Troubleshooting.relay + Troubleshooting.tokens
      + Troubleshooting.files + Troubleshooting.outputs + Troubleshooting.programs
    #expect(rows.filter { $0.hint == nil }.map(\.messages) == [])
    #expect(
      ForeignOption.hints(among: CallCommandOptions.all).contains { $0.option == "--max-time" })
  }

  /// `make generate` sets WRITE_ARTICLES.
  @Test func articlesAreUpToDate() throws {
    for article in GeneratedArticle.all {
      if getenv("WRITE_ARTICLES") != nil {
        let file = try ReplacementFile(of: article.path)
        try file.write(Array(article.text.utf8))
        try file.finish()
      }
      let present = try LocalFile.contents(of: article.path, limit: 1 << 20)
      #expect(
        String(decoding: present, as: UTF8.self) == article.text,
        "run make generate and commit \(article.name).md")
    }
  }

  @Test func cellsDoNotEndTheirRow() {
    for article in GeneratedArticle.all {
      let rows = article.text.split(separator: "\n").filter { $0.hasPrefix("|") }
      #expect(rows.allSatisfy { (3...4).contains($0.count { $0 == "|" }) }, "\(article.name)")
    }
  }
}
