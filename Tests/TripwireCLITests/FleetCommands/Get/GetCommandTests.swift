import Testing

@testable import CommandShell
@testable import TripwireCLI

@Suite struct GetCommandTests {
  /// Nothing listens on this port; the command fails before it connects.
  private static let nowhere = ["--endpoint", "127.0.0.1:1", "--plaintext"]

  @Test(arguments: [
    (
      [],
      "error: NAME is missing\n"
        + "hint: pass a name: tripwire get providers/my-project/trips/t1\n"
    ),
    (
      ["providers/p/trips/a:b"],
      """
      error: NAME: a trip ID must not contain a ":"
        providers/p/trips/a:b
                           ^
      hint: run 'tripwire get --help' for usage

      """
    ),
    (
      ["providers/p/tirps/x\u{7}y"],
      """
      error: NAME: expected one of "trips", "vehicles", "tasks", "deliveryVehicles", \
      "taskTrackingInfo" after the provider (as in providers/PROJECT/trips/TRIP)
        providers/p/tirps/x\\u{7}y
                    ^^^^^
      hint: did you mean providers/p/trips/x\\u{7}y?

      """
    ),
    (
      ["trips/t1"],
      """
      error: NAME: the name does not begin with "providers/" (expected \
      a name such as providers/PROJECT/trips/TRIP)
        trips/t1
        ^^^^^
      hint: add --provider PROJECT, or use the full name providers/PROJECT/trips/t1

      """
    ),
    (
      ["t\u{7}1"],
      """
      error: NAME: the name does not begin with "providers/" (expected \
      a name such as providers/PROJECT/trips/TRIP)
        t\\u{7}1
        ^^^^^^^
      hint: add --provider PROJECT, or use the full name providers/PROJECT/trips/t\\u{7}1

      """
    ),
    (
      ["localhost:50051"],
      """
      error: NAME: the name does not begin with "providers/" (expected \
      a name such as providers/PROJECT/trips/TRIP)
        localhost:50051
        ^^^^^^^^^^^^^^^
      hint: pass the server with --endpoint: --endpoint localhost:50051

      """
    ),
    (
      ["vehicle/v1", "--provider", "p"],
      """
      error: NAME: expected TRIP, trips/TRIP, vehicles/VEHICLE, tasks/TASK, \
      deliveryVehicles/VEHICLE, taskTrackingInfo/TRACKING_ID or a full name such as \
      providers/PROJECT/trips/TRIP
        vehicle/v1
        ^^^^^^^
      hint: did you mean vehicles/v1?

      """
    ),
    (
      ["tasks", "--provider", "p"],
      """
      error: NAME: the ID is missing after tasks
      hint: pass tasks/ID, or list them: tripwire search tasks

      """
    ),
    (
      [""],
      """
      error: NAME: the name is empty
      hint: run 'tripwire get --help' for usage

      """
    ),
    (
      ["drivers/t1", "--provider", "p"],
      """
      error: NAME: expected TRIP, trips/TRIP, vehicles/VEHICLE, tasks/TASK, \
      deliveryVehicles/VEHICLE, taskTrackingInfo/TRACKING_ID or a full name such as \
      providers/PROJECT/trips/TRIP
        drivers/t1
        ^^^^^^^
      hint: run 'tripwire get --help' for usage

      """
    ),
    (
      ["providers/p/trips/a", "b"],
      "error: unexpected argument b: get takes one NAME\n"
        + "hint: run 'tripwire get --help' for usage\n"
    ),
    (
      ["providers/p/trips/a", "localhost:50051"],
      "error: unexpected argument localhost:50051: get takes one NAME\n"
        + "hint: pass the server with --endpoint: --endpoint localhost:50051\n"
    ),
    (
      ["providers/p/trips/a", "--timeuot", "3s"],
      "error: unknown option --timeuot\nhint: did you mean --timeout?\n"
    ),
    (
      ["providers/p/trips/a", "--timeout", "3"],
      "error: --timeout 3: the unit is missing: expected 3s, 3ms or 3m\n"
        + "hint: run 'tripwire get --help' for usage\n"
    ),
    (
      ["providers/p/trips/a", "-o", "yaml"],
      "error: -o yaml: expected one of json, text, geojson, svg\n"
        + "hint: run 'tripwire get --help' for usage\n"
    ),
    (
      ["providers/p/trips/a", "--cacert", "x"],
      "error: --cacert cannot be used with --plaintext\n"
        + "hint: remove --cacert, or remove --plaintext\n"
    ),
    (
      ["providers/p/vehicles/v", "--view", "sdk"],
      "error: --view cannot be used with a vehicle\n"
        + "hint: remove --view\n"
    ),
    (
      ["providers/p/trips/a", "--key", "x"],
      "error: --key requires --cert\nhint: add --cert, or remove --key\n"
    ),
    (
      ["providers/p/trips/a", "--header", "no colon but a secret"],
      "error: --header …: expected 'NAME: VALUE'\n"
        + "hint: run 'tripwire get --help' for usage\n"
    ),
  ])
  func rejectsInvalidArguments(arguments: [String], error: String) async {
    let test = TestConsole()
    #expect(await tripwire(["get"] + arguments + Self.nowhere, test.console) == .usage)
    #expect(test.error == error)
    #expect(test.output.isEmpty)
  }

  @Test(arguments: ["https://u:hidden@host:1", "u:hidden@host", "hidden@host:x"])
  func passwordsInEndpointsAreNotPrinted(endpoint: String) async {
    for option in ["--endpoint", "--authority"] {
      let test = TestConsole()
      #expect(await test.run("get", "providers/p/trips/t", option, endpoint) == .usage)
      #expect(!test.error.contains("hidden"), "\(test.error)")
    }
    let test = TestConsole(["TRIPWIRE_ENDPOINT": endpoint])
    #expect(await test.run("get", "providers/p/trips/t") == .usage)
    #expect(
      test.error.hasPrefix("error: TRIPWIRE_ENDPOINT=…: expected HOST[:PORT] without a scheme"),
      "\(test.error)")
  }

  @Test func usageErrorIsJSONWhereverTheOptionStands() async {
    let test = TestConsole()
    #expect(await test.run("get", "--nope", "x", "--error-format", "json") == .usage)
    #expect(
      test.error == """
        {"code":null,"number":null,"message":"unknown option --nope","details":[],\
        "kind":"usage","attempts":0,"hint":"run 'tripwire get --help' for usage"}

        """)
  }

  @Test(
    arguments: [
      ["--plaintext"], ["--cacert", "ca.pem"], ["--insecure-skip-verify"], ["--endpoint", "h:1"],
    ])
  func connectionOptionsAreRejectedWithReplay(arguments: [String]) async {
    let test = TestConsole()
    let replaying = ["get", "providers/p/trips/t", "--replay", "trip.binlog"]
    #expect(await tripwire(replaying + arguments, test.console) == .usage)
    #expect(
      test.error == "error: \(arguments[0]) cannot be used with --replay\n"
        + "hint: remove \(arguments[0]), or remove --replay\n")
  }

  @Test(arguments: [["--speed", "10"], ["--speed", "max"], ["--loop"]])
  func replayOptionsRequireReplay(arguments: [String]) async {
    let test = TestConsole()
    #expect(await tripwire(["get", "providers/p/trips/t"] + arguments, test.console) == .usage)
    #expect(
      test.error == "error: \(arguments[0]) requires --replay\n"
        + "hint: add --replay, or remove \(arguments[0])\n")
  }

  @Test(arguments: ["0", "1001", "+1", "1.5", "fast", ""])
  func rejectsInvalidSpeeds(speed: String) async {
    let test = TestConsole()
    let arguments = ["get", "providers/p/trips/t", "--replay", "x", "--speed", speed]
    #expect(await tripwire(arguments, test.console) == .usage)
    #expect(test.error.contains("expected max or a whole number from 1 to 1000"), "\(test.error)")
  }

  /// The option is explicit; the variable may be set for other calls.
  @Test func replayHasPriorityOverTheEndpointVariable() async {
    let test = TestConsole(["TRIPWIRE_ENDPOINT": "127.0.0.1:1"])
    let code = await test.run("get", "providers/p/trips/t", "--replay", "/nowhere.binlog")
    #expect(code == .localFailure)
    #expect(test.error.hasPrefix("error: --replay: /nowhere.binlog: No such file"), "\(test.error)")
  }

  @Test func printsTheVersion() async {
    let test = TestConsole()
    #expect(await test.run("get", "--version") == .success)
    #expect(test.output == BuildVersion().text)
  }

  @Test func tokenIsReadBeforeConnecting() async {
    let test = TestConsole()
    let code = await tripwire(
      ["get", "providers/p/trips/t", "--token-file", "/nonexistent/token"] + Self.nowhere,
      test.console)
    #expect(code == .localFailure)
    #expect(
      test.error == """
        error: --token-file: /nonexistent/token: No such file or directory
        hint: check the path in --token-file

        """)
  }

  @Test func tokenOfTheEnvironmentIsNotPrinted() async {
    for value in ["secret with space", "/nonexistent/secret"] {
      let test = TestConsole(["TRIPWIRE_TOKEN": value])
      let code = await tripwire(["get", "providers/p/trips/t"] + Self.nowhere, test.console)
      #expect(code == .localFailure)
      #expect(!test.error.contains("secret"))
      #expect(test.error.contains("hint: check TRIPWIRE_TOKEN"))
    }
  }
}
