import Testing

@testable import CommandShell
@testable import Tripwire
@testable import TripwireCLI

@Suite struct MintTokenCommandTests {
  private func mint(_ arguments: String...) async throws -> (TestConsole, ExitCode) {
    let path = try keyFile()
    defer { removeKeyFile(path) }
    let test = TestConsole()
    return (
      test, await tripwire(["token", "mint", "--credentials", path] + arguments, test.console)
    )
  }

  private func claims(_ arguments: String...) async throws -> String {
    try await claims(arguments)
  }

  private func claims(_ arguments: [String]) async throws -> String {
    let path = try keyFile()
    defer { removeKeyFile(path) }
    let test = TestConsole()
    let code = await tripwire(
      ["token", "mint", "--credentials", path] + arguments, test.console)
    try #require(code == .success, "\(test.error)")
    let token = try JSONWebToken(String(test.output.dropLast()))
    return try #require(token.claims.fields["authorization"]).plainJSON
  }

  @Test func printsOnlyTheToken() async throws {
    let (test, code) = try await mint("--trip", "t1")
    #expect(code == .success)
    #expect(test.error.isEmpty)
    #expect(test.output.hasSuffix("\n") && test.output.split(separator: ".").count == 3)
    let token = try JSONWebToken(String(test.output.dropLast()))
    #expect(token.claims.number("iat") == Double(TestConsole.clock.now))
    #expect(token.claims.number("exp") == Double(TestConsole.clock.now) + 3600)
  }

  @Test func valueOfAClaimMayBeginWithACombiningMark() async throws {
    #expect(
      try await claims("--trip", "t1", "--claim", "own=\u{301}")
        == "{\"own\":\"\u{301}\",\"tripid\":\"t1\"}")
  }

  @Test func claimsComeFromOptionsAndRoles() async throws {
    #expect(try await claims("--trip", "t1") == #"{"tripid":"t1"}"#)
    #expect(try await claims("--trip", "providers/p/trips/t1") == #"{"tripid":"t1"}"#)
    #expect(
      try await claims("--vehicle", "v1", "--claim", "own=a=b")
        == #"{"own":"a=b","vehicleid":"v1"}"#)
    #expect(try await claims("--role", "consumer", "--trip", "t1") == #"{"tripid":"t1"}"#)
    #expect(try await claims("--role", "driver", "--vehicle", "v1") == #"{"vehicleid":"v1"}"#)
    #expect(try await claims("--role", "server") == #"{"tripid":"*","vehicleid":"*"}"#)
    #expect(
      try await claims("--role", "fleet-reader")
        == #"{"deliveryvehicleid":"*","taskid":"*","trackingid":"*","tripid":"*","vehicleid":"*"}"#)
    #expect(try await claims("--role", "delivery-consumer", "--task", "k") == #"{"taskid":"k"}"#)
    #expect(
      try await claims("--role", "delivery-server")
        == #"{"deliveryvehicleid":"*","taskid":"*","taskids":["*"],"trackingid":"*"}"#)
    #expect(
      try await claims("--role", "delivery-consumer", "--tracking", "r") == #"{"trackingid":"r"}"#)
    #expect(
      try await claims("--role", "delivery-driver-untrusted", "--delivery-vehicle", "d")
        == #"{"deliveryvehicleid":"d"}"#)
    #expect(
      try await claims("--role", "delivery-driver-trusted", "--delivery-vehicle", "d")
        == #"{"deliveryvehicleid":"d","taskid":"*"}"#)
  }

  @Test(arguments: [
    (["--task-ids", "t1,t2"], #"{"taskids":["t1","t2"]}"#),
    (["--task-ids", "t1", "--task-ids", "*"], #"{"taskids":["t1","*"]}"#),
    (["--claim", #"taskids=["*"]"#], #"{"taskids":["*"]}"#),
    (["--claim", #"own={"a":[1,true,null]}"#], #"{"own":{"a":[1,true,null]}}"#),
    (["--claim", "own=12"], #"{"own":12}"#), (["--claim", #"own="12""#], #"{"own":"12"}"#),
    (["--claim", #"tripid="12""#], #"{"tripid":"12"}"#),
    (["--claim", "own="], #"{"own":""}"#), (["--claim", "own=a/b"], #"{"own":"a/b"}"#),
    (["--claim", "tripid=*"], #"{"tripid":"*"}"#), (["--claim", "own=[1"], #"{"own":"[1"}"#),
  ])
  func parsesClaimsInJSON(arguments: [String], json: String) async throws {
    #expect(try await claims(arguments) == json)
  }

  @Test func lifetimeSetsTheExpiry() async throws {
    let (test, _) = try await mint("--trip", "t1", "--lifetime", "5m")
    let token = try JSONWebToken(String(test.output.dropLast()))
    #expect(token.claims.number("exp") == Double(TestConsole.clock.now) + 300)
  }

  @Test func warnsAboutServerTokens() async throws {
    let (test, code) = try await mint("--role", "server")
    #expect(code == .success)
    #expect(test.error.hasPrefix("warning: ") && test.error.contains("do not give it to an app"))
    let (driver, _) = try await mint(
      "--role", "delivery-driver-trusted", "--delivery-vehicle", "d")
    #expect(driver.error.isEmpty)
    let (tasks, _) = try await mint("--task-ids", "*")
    #expect(tasks.error.contains("more than one resource"))
  }

  @Test(arguments: [
    ([], "no claims were given"), (["t1"], "unexpected argument t1"),
    (["--trip", ""], "the ID is empty\nhint: set it to an ID, or to * for all"),
    (["--trip", "a/b"], "an ID must not contain a /\nhint: use only the ID b"),
    (
      ["--trip", "providers/p/vehicles/v1"], "expected a trip, found a vehicle\nhint: use --vehicle"
    ),
    (["--vehicle", "providers/p/trips/t1"], "expected a vehicle, found a trip\nhint: use --trip"),
    (["--task", "providers/p/trips/t1"], "expected a task, found a trip\nhint: use --trip"),
    (
      ["--task", "projects/p/tasks/t1"],
      "an ID must not contain a /\nhint: use only the ID t1"
    ),
    (["--tracking", "a?b"], "not an ID: a tracking ID must not contain a"),
    (["--trip", "a:b"], "not an ID: a trip ID must not contain a \":\""),
    (["--trip", String(repeating: "x", count: 65)], "has at most 64 characters"),
    (["--claim", "vehicleid=a?b"], "not an ID: a vehicle ID must not contain a"),
    (
      ["--trip", "a", "--claim", "tripid=b"],
      "the claim tripid is set to both a and b\nhint: mint one token for each, or use * for all"
    ),
    (
      ["--claim", "own=1", "--claim", "own=2"],
      "the claim own is set to both 1 and 2\nhint: pass --claim own once"
    ),
    (["--claim", "tripid"], "expected NAME=VALUE"), (["--claim", "tripId=t1"], "write tripid"),
    (["--claim", "tripid=12"], #"hint: quote it: --claim 'tripid="12"'"#),
    (["--claim", "own=12345678901234567890"], "the number is too large"),
    (["--claim", "own=1e999"], "the number is too large"),
    (["--claim", "taskids=t1"], "is not an array of strings"),
    (["--claim", #"taskids=["a","b/c"]"#], "is a resource name\nhint: use only the ID c"),
    (["--task-ids", "t1,"], "t1,: an ID is empty\nhint: separate the IDs by one comma"),
    (["--task-ids", "a/b"], "use only the ID b"),
    (
      ["--task-ids", "t1", "--claim", #"taskids=["t2"]"#],
      #"the claim taskids is set to both ["t2"] and ["t1"]"#
    ),
    (
      ["--role", "delivery-server", "--task-ids", "t1"],
      "--role delivery-server cannot be used with --task-ids: the role sets the claims itself\n"
        + "hint: remove --task-ids, or remove --role\n"
    ),
    (
      ["--role", "server", "--claim", "tripid=x"],
      "--role server cannot be used with --claim tripid: the role sets the claims itself\n"
        + "hint: remove --claim tripid, or remove --role\n"
    ),
    (["--trip", "t1", "--lifetime", "2h"], "expected 1s to 1h"),
    (["--trip", "t1", "--lifetime", "10ms"], "expected 1s to 1h"),
    (["--role", "consumer"], "requires --trip ID\nhint: add --trip ID, or remove --role\n"),
    (
      ["--role", "driver", "--trip", "t1"],
      "requires --vehicle ID\nhint: replace --trip with --vehicle ID, or remove --role\n"
    ),
    (["--role", "delivery-consumer"], "requires --task ID or --tracking ID"),
    (
      ["--role", "consumer", "--trip", "t", "--vehicle", "v"],
      "--role consumer cannot be used with --vehicle\nhint: remove --role"
    ),
    (["--role", "server", "--trip", "*"], "--role server cannot be used with --trip: the role"),
    (["--role", "server", "--claim", "ids=x"], "--role server cannot be used with --claim ids: "),
    (["--role", "drivr"], "did you mean driver?"),
  ])
  func rejectsInvalidArguments(arguments: [String], words: String) async throws {
    let test = TestConsole()
    let code = await tripwire(
      ["token", "mint", "--credentials", "/none"] + arguments, test.console)
    #expect(code == .usage)
    #expect(test.output.isEmpty)
    #expect(test.error.contains(words), "\(test.error)")
  }

  @Test func reportsAnInvalidKey() async throws {
    let test = TestConsole()
    #expect(
      await test.run("token", "mint", "--trip", "t", "--credentials", "/none/key.json")
        == .localFailure)
    #expect(
      test.error == "error: --credentials: /none/key.json: No such file or directory\n"
        + "hint: check the path in --credentials\n")
    let user = try keyFile(#"{"type": "authorized_user"}"#)
    defer { removeKeyFile(user) }
    let other = TestConsole()
    #expect(
      await other.run("token", "mint", "--trip", "t", "--credentials", user) == .localFailure)
    #expect(
      other.error.hasSuffix(
        "hint: pass it with --access-token \(user); add --sign-as ACCOUNT to have tokens signed\n"),
      "\(other.error)")
    let missing = TestConsole()
    #expect(await missing.run("token", "mint", "--trip", "t") == .usage)
    #expect(missing.error.contains("--credentials or --sign-as is missing"))
  }

  @Test(arguments: [
    (["key.json", "--trip", "t1"], "hint: pass the key with --credentials key.json\n"),
    (["--key", "key.json", "--trip", "t1"], "hint: did you mean --credentials FILE?\n"),
    (["-key", "key.json", "--trip", "t1"], "hint: did you mean --credentials FILE?\n"),
    (["--key-file=key.json", "--trip", "t1"], "hint: did you mean --credentials FILE?\n"),
  ])
  func misplacedKeyHasAHint(arguments: [String], end: String) async {
    let test = TestConsole()
    #expect(await tripwire(["token", "mint"] + arguments, test.console) == .usage)
    #expect(test.error.hasSuffix(end), "\(test.error)")
  }

  /// The key of the tests names the project p.
  @Test(arguments: [
    (["--trip", "providers/p/trips/t1"], ""),
    (["--trip", "t1"], ""),
    (
      ["--trip", "providers/other/trips/t1"],
      "warning: --trip names the project other, but the key belongs to p: the token is valid in"
        + " every project where the service account has a role\n"
    ),
    (
      ["--vehicle", "providers/other/vehicles/v1"],
      "warning: --vehicle names the project other, but the key belongs to p: the token is valid in"
        + " every project where the service account has a role\n"
    ),
  ])
  func warnsAboutAnotherProject(arguments: [String], warning: String) async throws {
    let path = try keyFile()
    defer { removeKeyFile(path) }
    let test = TestConsole()
    let code = await tripwire(
      ["token", "mint", "--credentials", path] + arguments, test.console)
    #expect(code == .success)
    #expect(test.error == warning)
  }

  @Test(arguments: [["token"], ["token", "mnit"]])
  func tokenRequiresASubcommand(arguments: [String]) async {
    let test = TestConsole()
    #expect(await tripwire(arguments, test.console) == .usage)
    #expect(test.error.contains("mint"))
  }

  @Test(arguments: [
    ["token", "--help"], ["token", "mint", "--help"], ["token", "inspect", "-h"],
    ["help", "token"],
  ])
  func everySubcommandHasHelp(arguments: [String]) async {
    let test = TestConsole()
    #expect(await tripwire(arguments, test.console) == .success)
    #expect(test.output.hasPrefix("usage: tripwire token "))
    #expect(test.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
