import Testing

@testable import CommandShell
@testable import FleetCommands
@testable import TripwireCLI

@Suite struct FollowCommandTests {
  @Test(arguments: [
    (
      [],
      "error: NAME is missing\n"
        + "hint: pass a trip: tripwire follow providers/my-project/trips/t1\n"
    ),
    (
      ["providers/p/trips/t", "providers/p/vehicles/v", "--until", "arrived-at-pickup"],
      "error: --until cannot be used with a vehicle\nhint: follow only trips, or remove --until\n"
    ),
    (
      ["providers/p/tasks/t", "--view", "sdk"],
      "error: --view cannot be used with a task\nhint: remove --view\n"
    ),
    (
      ["providers/p/trips/t", "providers/p/vehicles/v", "--fields", "tripStatus"],
      "error: --fields tripStatus: maps.fleetengine.v1.Vehicle has no field tripStatus\n"
        + "hint: run 'tripwire describe maps.fleetengine.v1.Vehicle' to list its fields\n"
    ),
    (
      ["t1"],
      """
      error: NAME: the name does not begin with "providers/" (expected a name such as providers/PROJECT/trips/TRIP)
        t1
        ^^
      hint: add --provider PROJECT, or use the full name providers/PROJECT/trips/t1

      """
    ),
    (
      ["providers/p/trips/a", "--interval", "50ms"],
      "error: --interval 50ms: expected a duration from 100ms to 24h\n"
        + "hint: run 'tripwire follow --help' for usage\n"
    ),
    (
      ["providers/p/trips/a", "--until", "arrived"],
      "error: --until arrived: expected one of new, enroute-to-pickup, arrived-at-pickup,"
        + " arrived-at-intermediate-destination, enroute-to-intermediate-destination,"
        + " enroute-to-dropoff, complete, canceled\n"
        + "hint: did you mean arrived-at-pickup?\n"
    ),
  ])
  func usageErrorsAreReportedBeforeConnecting(arguments: [String], message: String) async {
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
  func selectsTheLiveViewOnATerminal(
    variables: [String: String], arguments: [String], isTerminal: Bool, form: FollowOutput.Form
  ) throws {
    var options = FollowOptions()
    options.server.output.verbosity = arguments.contains("-v") ? 1 : 0
    if arguments.first == "-o" { options.output = arguments.last == "json" ? .json : .text }
    let request = FollowRequest(names: [], options: options)
    #expect(request.form(TestConsole(variables, isTerminal: isTerminal).console) == form)
  }
}
