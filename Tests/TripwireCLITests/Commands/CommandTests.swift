import Testing
import Tripwire

@testable import TripwireCLI

@Suite struct CommandTests {
  @Test func printsTheVersion() async {
    let test = TestConsole()
    #expect(await test.run("--version") == .success)
    #expect(test.output == "tripwire \(libraryVersion)\n")
    #expect(test.error.isEmpty)
  }

  @Test func usageIsShortWithoutArguments() async {
    let test = TestConsole()
    #expect(await test.run() == .usage)
    #expect(test.output.isEmpty)
    #expect(test.error.contains("usage: tripwire COMMAND [options]"))
    #expect(test.error.split(separator: "\n").count < 10)
  }

  @Test(arguments: [["--help"], ["-h"], ["help"]])
  func helpListsCommandsAndExitCodes(arguments: [String]) async {
    let test = TestConsole()
    #expect(await tripwire(arguments, test.console) == .success)
    #expect(test.error.isEmpty)
    for part in ["Examples:", "Commands:", "get ", "replay ", "Exit codes:", "64 + gRPC code"] {
      #expect(test.output.contains(part), "\(part)")
    }
    #expect(test.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: [
    ["get", "--help"], ["get", "x", "--nope", "-h"], ["help", "get"], ["get", "-vh"],
  ])
  func everyCommandHasHelp(arguments: [String]) async {
    let test = TestConsole()
    #expect(await tripwire(arguments, test.console) == .success)
    #expect(test.output.hasPrefix("usage: tripwire get NAME [options]\n"))
    #expect(test.error.isEmpty)
    #expect(test.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func helpListsOptionsVariablesAndExitCodes() async {
    let test = TestConsole()
    _ = await test.run("get", "--help")
    for option in GetOptions.all { #expect(test.output.contains("--\(option.long)")) }
    for word in ["TRIPWIRE_ENDPOINT", "TRIPWIRE_TOKEN", "Exit codes:", "130", "Examples:"] {
      #expect(test.output.contains(word), "\(word)")
    }
  }

  @Test(arguments: [
    (["gte", "x"], "error: unknown command gte\nhint: did you mean: tripwire get\n"),
    (
      ["xyzzy\u{1b}"],
      "error: unknown command xyzzy\\u{1b}\nhint: run 'tripwire --help' for usage\n"
    ),
    (
      ["-v", "get", "x"],
      "error: unknown option -v\nhint: put options after the command: tripwire get NAME -v\n"
    ),
    (
      ["localhost:50051", "list"],
      "error: unknown command localhost:50051\n"
        + "hint: name the server with --endpoint: tripwire list --endpoint localhost:50051\n"
    ),
    (
      ["list", "localhost:50051", "a.S"],
      "error: localhost:50051 is not the name of a service or type\n"
        + "hint: name the server with --endpoint: --endpoint localhost:50051\n"
    ),
    (
      ["a.S/M"], "error: unknown command a.S/M\nhint: did you mean: tripwire call a.S/M\n"
    ),
    (
      ["providers/p/trips/t"],
      "error: unknown command providers/p/trips/t\n"
        + "hint: did you mean: tripwire get providers/p/trips/t\n"
    ),
  ])
  func unknownCommandsHaveHints(arguments: [String], error: String) async {
    let test = TestConsole()
    #expect(await tripwire(arguments, test.console) == .usage)
    #expect(test.error == error)
    #expect(test.output.isEmpty)
  }
}
