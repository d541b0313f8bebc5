import Testing
import Tripwire

@testable import TripwireCLI

@Suite struct FollowCommandTests {
  @Test(arguments: [
    (
      [], "error: NAME is missing\nhint: as in: tripwire follow providers/my-project/trips/t1\n"
    ),
    (
      ["providers/p/vehicles/v"],
      "error: NAME: only trips can be followed\n"
        + "hint: tripwire get providers/p/vehicles/v gets a vehicle\n"
    ),
    (
      ["t1"],
      """
      error: NAME: a name starts with "providers/": providers/{provider}/trips/{trip}
        t1
        ^^
      hint: give the whole name: providers/PROJECT/trips/t1

      """
    ),
    (
      ["providers/p/trips/a", "--interval", "50ms"],
      "error: --interval 50ms: wants a duration from 100ms to 24h\n"
        + "hint: 'tripwire follow --help' lists what there is\n"
    ),
    (
      ["providers/p/trips/a", "--until", "arrived"],
      "error: --until arrived: wants new or enroute-to-pickup or arrived-at-pickup or"
        + " arrived-at-intermediate-destination or enroute-to-intermediate-destination or"
        + " enroute-to-dropoff or complete or canceled: did you mean arrived-at-pickup?\n"
        + "hint: 'tripwire follow --help' lists what there is\n"
    ),
  ])
  func whatIsWrongIsSaidBeforeAnythingIsDialled(arguments: [String], message: String) async {
    let console = TestConsole()
    let code = await tripwire(["follow"] + arguments, console.console)
    #expect(code == .usage)
    #expect(console.error == message)
    #expect(console.output == "")
  }

  @Test(
    arguments: [
      (["TERM": "xterm"], [], true, .live), (["TERM": "xterm"], [], false, .json),
      (["TERM": "dumb"], [], true, .lines), (["TERM": ""], ["-o", "text"], true, .lines),
      ([:], [], true, .lines), (["TERM": "xterm"], ["-v"], true, .lines),
      (["TERM": "xterm"], ["-o", "text"], false, .lines),
      (["TERM": "dumb"], ["-o", "json"], true, .json),
    ] as [([String: String], [String], Bool, FollowOutput.Form)])
  func aTerminalIsKeptUpToDateWhereThatCanBe(
    variables: [String: String], arguments: [String], isTerminal: Bool, form: FollowOutput.Form
  ) throws {
    var options = FollowOptions()
    options.server.output.isVerbose = arguments.contains("-v")
    if arguments.first == "-o" { options.output = arguments.last == "json" ? .json : .text }
    let request = FollowRequest(names: [], options: options)
    #expect(request.form(TestConsole(variables, isTerminal: isTerminal).console) == form)
  }
}
