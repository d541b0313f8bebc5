import Testing

@testable import CommandCalls
@testable import CommandLine
@testable import CommandShell
@testable import RecordingCommands
@testable import RelayCommands

@Suite struct ForeignOptionTests {
  /// Parses a command line of `tripwire call`.
  private func line(_ arguments: String...) -> ParsedCommandLine {
    var options = CallCommandOptions()
    return parse(arguments, CallCommandOptions.all, into: &options) { _ in nil }
  }

  @Test(arguments: [
    (["-insecure"], "-insecure", "did you mean --insecure-skip-verify?"),
    (["--insecure"], "--insecure", "did you mean --insecure-skip-verify?"),
    (["--max-time", "5"], "--max-time", "did you mean --timeout TIME?"),
    (["-max-time", "5"], "-max-time", "did you mean --timeout TIME?"),
    (["-connect-timeout=5"], "-connect-timeout", "did you mean --timeout TIME?"),
    (["-format-error"], "-format-error", "did you mean --error-format json?"),
    (["-rpc-header", "a: b"], "-rpc-header", "did you mean --header 'NAME: VALUE'?"),
    (["-V"], "-V", "did you mean --version?"),
    (["-plaintxt"], "-plaintxt", "did you mean --plaintext?"),
    (["-tokenfile", "x"], "-tokenfile", "did you mean --token-file?"),
    (["-emit-default"], "-emit-default", "did you mean --emit-defaults?"),
  ])
  func suggestsOptionsForForeignNames(arguments: [String], typed: String, hint: String) {
    var options = CallCommandOptions()
    let line = parse(arguments + ["-v"], CallCommandOptions.all, into: &options) { _ in nil }
    #expect(line.error == UsageError(message: "unknown option \(typed)", hint: hint))
    #expect(line.help == nil)
    #expect(options.server.output.isVerbose)
  }

  @Test(arguments: ["-keepalive-time", "-user-agent", "-alts"])
  func namesUnknownLongOptionsWithOneDash(option: String) {
    #expect(line(option, "x").error == UsageError(message: "unknown option \(option)"))
  }

  @Test func namesUnknownShortOptions() {
    #expect(line("-vx").error?.message == "unknown option -x")
  }

  @Test(arguments: ["-proto", "--proto"])
  func suggestsProtosetForProtoFiles(option: String) {
    var options = ReplayOptions()
    let line = parse([option, "x"], ReplayOptions.all, into: &options) { _ in nil }
    #expect(line.error?.hint?.contains("--protoset FILE") == true)
  }

  @Test func suggestsListenForAPort() {
    var options = ReplayOptions()
    let line = parse(["--port", "50051"], ReplayOptions.all, into: &options) { _ in nil }
    #expect(line.error?.hint == "did you mean --listen HOST:PORT?")
  }

  @Test func otherArgumentsKeepTheirMeaning() {
    #expect(line("call", "-vv", "--", "-plaintext").error == nil)
    #expect(line("-help").help != nil)
    #expect(line("-d{}").error == nil)
    #expect(line("-xyz").error?.hint == "did you mean --proxy URL?")
    #expect(line("-z").error == UsageError(message: "unknown option -z"))
  }

  /// Commands without the option report the name as unknown, without a hint.
  @Test func suggestsOnlyOptionsOfTheCommand() {
    var options = ReplayOptions()
    let line = parse(["--max-time", "3"], ReplayOptions.all, into: &options) { _ in nil }
    #expect(line.error == UsageError(message: "unknown option --max-time"))
  }

  @Test func suggestsNothingForAnOptionOfOtherCommands() {
    var options = RelayWorkOptions()
    let line = parse(["--retries", "3"], RelayWorkOptions.all, into: &options) { _ in nil }
    #expect(line.error == UsageError(message: "unknown option --retries"))
  }
}
