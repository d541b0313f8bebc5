import Recording
import TestSupport
import Testing

@testable import CommandShell
@testable import Tripwire
@testable import TripwireCLI

@Suite struct SelectionOptionsTests {
  /// Calls at intervals of ten seconds from 09:30:00. Calls 1 to 4 alternate between GetTrip and
  /// GetVehicle, with the codes 0, 5, 14 and 0 and latencies of 100, 200, 300 and 400 ms. Call 5 is
  /// canceled, call 6 has no end, and call 7 has no start.
  private static let log: TestLog = {
    var log = TestLog()
    func begin() -> UInt64 {
      log.now = Int64(log.entries.count(where: { $0.type == .clientHeader })) * 10_000
      let isEven = log.entries.count(where: { $0.type == .clientHeader }) % 2 == 0
      return log.begin(
        "/maps.fleetengine.v1." + (isEven ? "TripService/GetTrip" : "VehicleService/GetVehicle"))
    }
    for (index, code) in [0, 5, 14, 0].enumerated() as EnumeratedSequence<[UInt32]> {
      let id = begin()
      log.now += Int64(index + 1) * 100
      log.end(id, code)
    }
    let id = begin()
    log.now += 1
    log.add(id, .cancel)
    _ = begin()
    log.end(99, 5)
    return log
  }()

  private static func numbers(_ options: [String]) async throws -> [Int] {
    let (code, output, _) = try await log.run(options)
    #expect(code == .success)
    return output.split(separator: "\n").compactMap { Int($0.prefix { $0 != " " }) }
  }

  private static let cases: [([String], [Int])] = [
    ([], [1, 2, 3, 4, 5, 6, 7]), (["--errors"], [2, 3, 5, 6, 7]),
    (["--status", "NOT_FOUND"], [2, 7]), (["--status", "not-found", "--status", "14"], [2, 3, 7]),
    (["--status", "not-found,14"], [2, 3, 7]),
    (["--status", "cancelled"], [5]), (["--slow", "300ms"], [3, 4]),
    (["--method", "GetTrip"], [1, 3, 5]), (["--method", "TripService/GetTrip"], [1, 3, 5]),
    (["--method", "/maps.fleetengine.v1.VehicleService/GetVehicle"], [2, 4, 6]),
    (["--since", "09:30:10"], [2, 3, 4, 5, 6, 7]), (["--until", "09:30:10"], [1]),
    (["--since", "2026-11-21T09:30:20Z", "--until", "09:30:40"], [3, 4]),
    (["--errors", "--method", "GetTrip", "--since", "09:30:20"], [3, 5]),
    (["--since", "10:00"], []), (["--errors", "--slow", "200ms"], [2, 3]),
    (["--since", "10m"], [1, 2, 3, 4, 5, 6, 7]),
  ]

  @Test(arguments: cases)
  func listsTheSelectedCalls(options: [String], wanted: [Int]) async throws {
    #expect(try await Self.numbers(options) == wanted)
  }

  /// The entries of a call are written when the call ends.
  @Test(arguments: cases)
  func showsAllEntriesOfTheSelectedCalls(options: [String], wanted: [Int]) async throws {
    func calls(_ output: String) -> [String: Int] {
      let lines = output.split(separator: "\n")
      let numbers = lines.map { String($0.dropFirst(8).prefix { $0 != "," }) }
      return Dictionary(numbers.map { ($0, 1) }, uniquingKeysWith: +)
    }
    let all = calls(try await Self.log.run("--json").output)
    let (code, output, error) = try await Self.log.run(["--json"] + options)
    #expect(code == .success)
    #expect(calls(output) == all.filter { wanted.contains(Int($0.key) ?? 0) })
    #expect(
      error == (wanted.isEmpty ? "warning: no call matches the selection (7 calls read)\n" : ""))
  }

  /// Two calls each of three trips and a vehicle; the second call of each fails.
  private static let fleet: TestLog = {
    var log = TestLog()
    for round in 0..<2 {
      for name in ["p/trips/t1", "p/trips/t2", "q/trips/t1", "p/vehicles/v1"] {
        let id = log.begin()
        log.send(id, GetTripRequest(name: "providers/\(name)"))
        round == 0 ? log.respond(id, Trip()) : log.end(id, 14)
        log.now += 1_000
      }
    }
    _ = log.begin()
    return log
  }()

  private static let resources: [([String], [Int])] = [
    (["t1"], [1, 3, 5, 7]), (["providers/p/trips/t1"], [1, 5]), (["v1"], [4, 8]),
    (["trips/t2"], [2, 6]), (["t2", "v1"], [2, 4, 6, 8]),
  ]

  @Test(arguments: resources) func selectsCallsOfAResource(names: [String], wanted: [Int])
    async throws
  {
    let options = names.flatMap { ["--resource", $0] }
    func numbers(_ more: String...) async throws -> Set<Int> {
      let (code, output, error) = try await Self.fleet.run(options + more)
      #expect((code, error) == (.success, ""))
      let lines = output.split(separator: "\n").map { $0.dropFirst($0.first == "{" ? 8 : 0) }
      return Set(lines.compactMap { Int($0.prefix { $0 != " " && $0 != "," }) })
    }
    #expect(try await numbers() == Set(wanted))
    #expect(try await numbers("--json") == Set(wanted))
    #expect(try await numbers("--errors") == Set(wanted.filter { $0 > 4 }))
    #expect(try await numbers("--errors", "--json") == Set(wanted.filter { $0 > 4 }))
    let summary = try await Self.fleet.run(options + ["--summary", "--json"]).output
    #expect(summary.contains("\"calls\":\(wanted.count),"))
    // A successful call has six entries, a failed call four.
    let entries = try await Self.fleet.run(options + ["--json"]).output.split(separator: "\n")
    #expect(entries.count == wanted.count / 2 * (6 + 4))
  }

  /// The path of a file that does not exist, another each time.
  private static var newPath: String { "/tmp/tripwire-tests-\(UInt64.random(in: 0 ... .max))" }

  @Test(arguments: [
    [], ["--json"], ["--summary"], ["--errors", "--json"], ["--anonymize", Self.newPath],
  ])
  func unknownResourceListsTheRecorded(options: [String]) async throws {
    let (code, _, error) = try await Self.fleet.run(["--resource", "t"] + options)
    #expect(code == .localFailure)
    #expect(
      error == "error: --resource t: not in the recording, which contains providers/p/trips/t1, "
        + "providers/p/trips/t2, providers/q/trips/t1, providers/p/vehicles/v1\n"
        + "hint: pass a resource of the recording with --resource\n")
  }

  @Test(arguments: ["Trip", "get", "e", "gettrip", "GetTrips"])
  func unknownMethodListsTheRecorded(method: String) async throws {
    for options in [[], ["--json"], ["--summary"], ["--errors", "--anonymize", Self.newPath]] {
      let (code, _, error) = try await Self.log.run(["--method", method] + options)
      #expect(code == .localFailure)
      #expect(
        error.hasSuffix(
          "error: --method \(method): not in the recording, which contains "
            + "maps.fleetengine.v1.TripService/GetTrip, "
            + "maps.fleetengine.v1.VehicleService/GetVehicle\n"
            + "hint: pass a method of the recording with --method\n"))
    }
  }

  @Test(arguments: [
    (["--errors"], true), (["--slow", "1ms"], true), (["--until", "09:40"], false),
  ])
  func copyWarnsAboutOmittedCalls(options: [String], isWarned: Bool) async throws {
    let copy = try withTemporaryFile([]) { $0 }
    let (code, _, error) = try await Self.log.run(["--anonymize", copy] + options)
    #expect(code == .success)
    #expect(error.contains("warning: the copy contains only the selected calls") == isWarned)
  }

  @Test func copyHasOnlyTheSelectedCalls() async throws {
    let copy = try withTemporaryFile([]) { $0 }
    let test = TestConsole()
    let code = try await withFile(Self.log.bytes) { path in
      await test.run("log", path, "--anonymize", copy, "--errors", "--method", "GetTrip")
    }
    #expect(code == .success)
    #expect(await test.run("log", copy) == .success)
    let lines = test.output.split(separator: "\n").dropFirst(2)
    #expect(lines.count == 2)
    #expect(lines.first?.contains("UNAVAILABLE") == true)
    #expect(lines.last?.contains("cancelled") == true)
  }

  @Test func summaryCountsTheCalls() async throws {
    let (code, output, error) = try await Self.log.run("--summary")
    #expect((code, error) == (.success, ""))
    #expect(
      output == """
        2026-11-21, times in UTC
        method                     calls  first     last      p50       p95       p99       max       status
        —                          1      09:30:50  09:30:50  0.0 ms    0.0 ms    0.0 ms    0.0 ms    NOT_FOUND 1
        TripService/GetTrip        3      09:30:00  09:30:40  100.0 ms  300.0 ms  300.0 ms  300.0 ms  OK 1, UNAVAILABLE 1, cancelled 1
        VehicleService/GetVehicle  3      09:30:10  09:30:50  200.0 ms  400.0 ms  400.0 ms  400.0 ms  NOT_FOUND 1, OK 1, unfinished 1

        """)
    let json = try await Self.log.run("--summary", "--json", "--method", "GetTrip").output
    #expect(
      json == #"{"method":"/maps.fleetengine.v1.TripService/GetTrip","calls":3,"#
        + #""first":"2026-11-21T09:30:00Z","last":"2026-11-21T09:30:40Z","#
        + #""statuses":{"OK":1,"UNAVAILABLE":1,"cancelled":1},"#
        + #""latencySeconds":{"p50":0.1,"p95":0.3,"p99":0.3,"max":0.3}}"# + "\n")
  }

  @Test(arguments: [
    (["--call", "3", "--trip", "t1"], "remove --call, or remove --trip"),
    (
      ["--summary", "--trip", "t1"],
      "pass --resource instead of --trip to select the calls of a resource"
    ),
  ])
  func hintForTwoViewsCanBeFollowed(options: [String], hint: String) async {
    let test = TestConsole()
    #expect(await tripwire(["log", "f"] + options, test.console) == .usage)
    #expect(test.error.hasSuffix("\nhint: \(hint)\n"), "\(test.error)")
  }

  @Test(arguments: [
    ["--status", "LOST"], ["--status", "OK,"], ["--since", "soon"], ["--slow", "1"],
    ["--method", ""],
    ["--call", "1", "--errors"], ["--trip", "t", "--errors"], ["--trip", "t", "--resource", "t"],
    ["--call", "1", "--since", "09:30"], ["--summary", "--call", "1"],
    ["--summary", "--anonymize", "b"],
  ])
  func invalidOptionsAreUsageErrors(options: [String]) async {
    let test = TestConsole()
    #expect(await tripwire(["log", "f"] + options, test.console) == .usage)
  }
}
