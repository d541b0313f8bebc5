import TestSupport
import Testing

@testable import CommandLine
@testable import CommandShell
@testable import FleetCommands
@testable import Tripwire
@testable import TripwireCLI

@Suite struct CommandTests {
  @Test func printsTheVersion() async {
    let test = TestConsole()
    #expect(await test.run("--version") == .success)
    #expect(test.output.hasPrefix("tripwire \(libraryVersion)\nnghttp2 1."))
    #expect(test.error.isEmpty)
  }

  @Test func usageIsShortWithoutArguments() async {
    let test = TestConsole()
    #expect(await test.run() == .usage)
    #expect(test.output.isEmpty)
    #expect(test.error.contains("usage: tripwire COMMAND [options]"))
    #expect(test.error.split(separator: "\n").count < 10)
  }

  @Test func briefHelpOfTheProgramListsItsCommands() async {
    let test = TestConsole()
    #expect(await tripwire(["-h"], test.console) == .success)
    for part in [
      "Examples:", "Commands:\n", "  get ", "  version ", "'tripwire --help' prints details.",
    ] {
      #expect(test.output.contains(part), "\(part)")
    }
    #expect(test.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 41)
  }

  @Test(arguments: [["--help"], ["-help"], ["help"]])
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

  @Test(arguments: ["--plaintext", "--insecure-skip-verify", "--keylog"])
  func optionsThatWeakenSecurityWarn(option: String) {
    let help = ServerOptions.all.first { "--\($0.long)" == option }?.description.help
    #expect(help?.contains("\nAnyone ") == true)
  }

  @Test func templateIsOfferedOnlyByDescribe() async {
    for (command, hasTemplate) in [("list", false), ("describe", true)] {
      let test = TestConsole()
      _ = await test.run(command, "--help")
      #expect(test.output.contains("template") == hasTemplate)
    }
    let test = TestConsole()
    #expect(await test.run("list", "-o", "template") == .usage)
    #expect(test.error.hasPrefix("error: -o template: expected text or json\n"))
  }

  @Test(arguments: [
    (["token", "inspect", "/none/t"], "check the path of FILE"),
    (["token", "inspect", "/dev/null"], "check that /dev/null has a token and nothing else"),
    (["get", "providers/p/trips/t", "--replay", "/none/r"], "check the path in --replay"),
    (
      ["get", "providers/p/trips/t", "--cacert", "/etc"],
      "pass a file, not a directory, with --cacert"
    ),
  ])
  func unreadableFilesHaveHints(arguments: [String], hint: String) async {
    let test = TestConsole()
    #expect(await tripwire(arguments, test.console) == .localFailure)
    #expect(test.error.hasSuffix("\nhint: \(hint)\n"), "\(test.error)")
  }

  @Test func malformedTokenHasOneAction() async throws {
    try await withFile(Array("Bearer hush".utf8)) { path in
      let test = TestConsole()
      #expect(
        await test.run("get", "providers/p/trips/t", "--token-file", path) == .localFailure)
      #expect(
        test.error == "error: --token-file: \(path): the token starts with \"Bearer \"\n"
          + "hint: remove \"Bearer \"\n")
    }
  }

  @Test func scriptWithoutCallsIsRejected() async throws {
    try await withFile(Array("{}".utf8)) { path in
      let test = TestConsole()
      #expect(await test.run("replay", path) == .localFailure)
      #expect(test.error.contains("nothing to replay: the script contains no calls\n"))
      #expect(test.error.hasSuffix("hint: add a call to the script\n"))
    }
  }

  @Test func unknownFieldOfAScriptIsLocated() async throws {
    try await withFile(Array(#"{"calls": [{"methd": "/a.B/C"}]}"#.utf8)) { path in
      let test = TestConsole()
      #expect(await test.run("replay", path) == .localFailure)
      #expect(
        test.error.hasSuffix(
          "unknown field \"methd\"; did you mean method?\n"
            + "hint: correct \(path) at line 1, column 13\n"), "\(test.error)")
    }
  }

  @Test func fileOfAnotherFormatIsNotReplayed() async throws {
    try await withFile(Array("hello, world".utf8)) { path in
      let test = TestConsole()
      #expect(await test.run("replay", path) == .localFailure)
      #expect(
        test.error.hasSuffix(
          "hint: pass the path of a recording or of a script: tripwire replay trip.binlog\n"),
        "\(test.error)")
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
      "error: -v is before the command\nhint: put options after the command: tripwire get NAME -v\n"
    ),
    (
      ["-plaintext", "localhost:50051", "list"],
      "error: -plaintext is before the command\n"
        + "hint: put options after the command: tripwire list --plaintext\n"
    ),
    (
      ["--profile", "x", "get", "t1"],
      "error: --profile is before the command\n"
        + "hint: put options after the command: tripwire get NAME --profile NAME\n"
    ),
    (
      ["-o", "json", "update", "t1"],
      "error: -o is before the command\n"
        + "hint: put options after the command: tripwire update NAME -o FORMAT\n"
    ),
    (
      ["-vv", "search", "tasks"],
      "error: -vv is before the command\n"
        + "hint: put options after the command: tripwire search tasks -vv\n"
    ),
    (
      ["-plaintext", "token", "mint"],
      "error: -plaintext is before the command\n"
        + "hint: put options after the command: tripwire token mint --plaintext\n"
    ),
    (
      ["-plaintext"],
      "error: -plaintext is before the command\n"
        + "hint: put options after the command: tripwire call METHOD --plaintext\n"
    ),
    (
      ["--no-such-option"],
      "error: unknown option --no-such-option\nhint: run 'tripwire --help' for usage\n"
    ),
    (
      ["-max-time=3"],
      "error: unknown option -max-time=3\n"
        + "hint: put options after the command: tripwire call METHOD --timeout TIME\n"
    ),
    (
      ["localhost:50051", "list"],
      "error: unknown command localhost:50051\n"
        + "hint: pass the server with --endpoint: tripwire list --endpoint localhost:50051\n"
    ),
    (
      ["list", "a.S", "localhost:50051"],
      "error: localhost:50051 is not the name of a service or type\n"
        + "hint: pass the server with --endpoint: --endpoint localhost:50051\n"
    ),
    (
      ["list", "localhost:50051", "--endpoint", "127.0.0.1:1"],
      "error: localhost:50051 cannot be used with --endpoint\n"
        + "hint: remove localhost:50051, or remove --endpoint\n"
    ),
    (
      ["describe", "localhost:http"],
      "error: HOST:PORT localhost:http: expected a port from 1 to 65535 after the colon\n"
        + "hint: run 'tripwire describe --help' for usage\n"
    ),
    (
      ["list", "user:secret@localhost:1"],
      "error: HOST:PORT …: expected HOST[:PORT] without a scheme or a user name\n"
        + "hint: run 'tripwire list --help' for usage\n"
    ),
    (
      ["call", "localhost:50051"],
      "error: METHOD is missing\n"
        + "hint: pass a method: tripwire call maps.fleetengine.v1.TripService/SearchTrips -d JSON\n"
    ),
    (["foo"], "error: unknown command foo\nhint: run 'tripwire --help' for usage\n"),
    (
      ["list", "TripService", "VehicleService"],
      "error: unexpected argument VehicleService: list takes one SERVICE\n"
        + "hint: run 'tripwire list --help' for usage\n"
    ),
    (
      ["describe", "Trip", "Vehicle"],
      "error: unexpected argument Vehicle: describe takes one SYMBOL\n"
        + "hint: run 'tripwire describe --help' for usage\n"
    ),
    (
      ["list", "TripService/GetTrip"],
      "error: TripService/GetTrip is not a service\n"
        + "hint: run 'tripwire describe maps.fleetengine.v1.TripService.GetTrip' to show it\n"
    ),
    (
      ["list", "TripService.GetTrip"],
      "error: TripService.GetTrip is not a service\n"
        + "hint: run 'tripwire describe maps.fleetengine.v1.TripService.GetTrip' to show it\n"
    ),
    (
      ["list", "Foo/Bar"],
      "error: Foo/Bar was not found in the built-in descriptors\n"
        + "hint: pass --protoset FILE or --proto FILE, or the --endpoint of a server that supports reflection\n"
    ),
    (
      ["call", "TripService/GetTrip", "127.0.0.1:1"],
      "error: unexpected argument 127.0.0.1:1: after METHOD, call takes only FIELD=VALUE\n"
        + "hint: pass the server with --endpoint: --endpoint 127.0.0.1:1\n"
    ),
    (
      ["call", "a.S/M", "{\"a\": 1}"],
      "error: unexpected argument {\"a\": 1}: after METHOD, call takes only FIELD=VALUE\n"
        + "hint: pass the request with -d and the server with --endpoint\n"
    ),
    (
      ["call", "127.0.0.1:1", "a.S/M", "{\"a\": 1}"],
      "error: unexpected argument {\"a\": 1}: after METHOD, call takes only FIELD=VALUE\n"
        + "hint: pass the request with -d\n"
    ),
    (
      ["call", "a.S/M", "id:1", "--endpoint", "127.0.0.1:1"],
      "error: unexpected argument id:1: after METHOD, call takes only FIELD=VALUE\n"
        + "hint: pass FIELD=VALUE: id=1\n"
    ),
    (
      ["call", "127.0.0.1:1", "a.S/M", "a=b:c", "name:a b:c"],
      "error: unexpected argument name:a b:c: after METHOD, call takes only FIELD=VALUE\n"
        + "hint: pass FIELD=VALUE: \"name=a b:c\"\n"
    ),
    (
      ["call", "a.S/M", "a=b:c", "word"],
      "error: unexpected argument word: after METHOD, call takes only FIELD=VALUE\n"
        + "hint: pass the request with -d and the server with --endpoint\n"
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
