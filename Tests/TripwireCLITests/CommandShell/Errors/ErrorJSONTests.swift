import Testing

@testable import CommandShell
@testable import Tripwire

/// The JSON of errors on stderr, whether that is a terminal or not.
@Suite struct ErrorJSONTests {
  private static let risky =
    "\u{7f}\u{80}\u{9b}\u{9f}\u{200e}\u{200f}\u{202a}\u{202e}\u{2028}\u{2029}\u{2066}\u{2069}\u{feff}"
  private static let safe =
    #"\u007f\u0080\u009b\u009f\u200e\u200f\u202a\u202e\u2028\u2029\u2066\u2069\ufeff"#

  private var report: ErrorReport {
    let info = ErrorInfo(reason: Self.risky)
    let any = AnyMessage(typeUrl: "type.googleapis.com/" + Self.risky)
    var report = ErrorReport(
      CallError(
        code: .internal, message: Self.risky, details: [.errorInfo(info), .other(any)],
        origin: .server, peer: Self.risky, path: "/" + Self.risky), hint: Self.risky)
    report.subject = Self.risky
    report.warnings = [Self.risky]
    return report
  }

  @Test(arguments: [true, false])
  func controlCharactersAreEscaped(isTerminal: Bool) {
    let console = TestConsole(isTerminal: isTerminal)
    _ = console.console.report(report, as: .json)
    #expect(containsNoUnsafeCharacters(console.error))
    let count = console.error.split(separator: Self.safe, omittingEmptySubsequences: false).count
    #expect(count == 9)
  }

  @Test func keepsTheValueOfADetail() {
    let console = TestConsole(isTerminal: true)
    _ = console.console.report(report, as: .json)
    #expect(console.error.contains(#""reason":"\#(Self.safe)""#))
  }

  private func containsNoUnsafeCharacters(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { (" "..."~").contains($0) || $0 == "\n" }
  }
}
