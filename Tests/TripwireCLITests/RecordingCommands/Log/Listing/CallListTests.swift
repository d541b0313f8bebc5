import Recording
import TestSupport
import Testing

@testable import CommandShell
@testable import RecordingCommands
@testable import Tripwire
@testable import TripwireCLI

@Suite struct CallListTests {
  private static func request(_ name: String) -> GetTripRequest {
    GetTripRequest(name: name)
  }

  @Test func eachCallHasAnAlignedLine() async throws {
    var log = TestLog()
    log.getTrip(Self.request("providers/p/trips/t1"), Trip())
    log.now = 5_000
    let missing = log.begin()
    log.send(missing, Self.request("providers/p/trips/missing"))
    log.now += 1_234
    log.end(missing, 5, "no such trip\u{1b}[2J")
    let (code, output, error) = try await log.run()
    #expect((code, error) == (.success, ""))
    let esc = "\\u{1b}"
    #expect(
      output == """
        2026-11-21, times in UTC, names relative to providers/p/trips/
        call  time          method   resource  status     latency  req   resp
        1     09:30:00.000  GetTrip  t1        OK         35.0 ms  22 B  0 B
        2     09:30:05.000  GetTrip  missing   NOT_FOUND  1.234 s  27 B  —     no such trip\(esc)[2J

        """)
  }

  @Test func showsUnfinishedAndCanceledCalls() async throws {
    var log = TestLog()
    let open = log.begin()
    log.send(open, Self.request("providers/p/trips/t1"))
    let canceled = log.begin()
    log.add(canceled, .cancel)
    let late = log.begin()
    log.add(late, .cancel)
    log.end(late, 4, "too late")
    let lines = try await log.run().output.split(separator: "\n").dropFirst(2)
    #expect(lines.map { $0.contains("unfinished") } == [true, false, false])
    #expect(lines.map { $0.contains("cancelled") } == [false, true, false])
    #expect(lines.last?.contains("DEADLINE_EXCEEDED") == true)
  }

  /// gRFC A16 puts the server's address into the first entry of the server.
  @Test func marksLocalStatuses() async throws {
    var log = TestLog()
    for isLocal in [true, false] {
      let id = log.begin()
      log.send(id, Self.request("providers/p/trips/t1"))
      log.end(id, 14, "away", isLocal: isLocal)
    }
    // Unknown for an incomplete call, a server's log, and a call with response headers.
    log.end(99, 14, isLocal: true)
    let served = log.begin(logger: .server)
    log.end(served, 14, isLocal: true)
    log.entries[log.entries.count - 1].logger = .server
    let answered = log.begin()
    log.add(answered, .serverHeader, .serverHeader(BinlogServerHeader()))
    log.end(answered, 14, isLocal: true)
    func count(_ options: String...) async throws -> [Bool] {
      try await log.run(options).output.split(separator: "\n").filter { $0.contains("UNAVAILABLE") }
        .map { $0.contains("(local)") }
    }
    #expect(try await count() == [true, false, false, false, false])
    #expect(try await count("--status", "unavailable").count == 5)
    #expect(try await count("--call", "1") == [true])
    #expect(try await count("--call", "2") == [false])
    let summary = try await log.run("--summary").output
    #expect(summary.contains("UNAVAILABLE 3, UNAVAILABLE (local) 1"), "\(summary)")
    let json = try await log.run("--summary", "--json", "--method", "GetTrip").output
    let counts = #""statuses":{"UNAVAILABLE":4},"localStatuses":{"UNAVAILABLE":1}"#
    #expect(json.contains(counts), "\(json)")
    let timeline = try await log.run("--trip", "t1").output
    #expect(timeline.contains("error: UNAVAILABLE (local): away"), "\(timeline)")
    #expect(try await log.run("--trip", "t1", "--json").output.contains(#","local":true}"#))
  }

  @Test func showsServersMessageCountsAndMissingParts() async throws {
    var log = TestLog()
    let stream = log.begin("other.Service/Watch", logger: .server)
    for _ in 0..<3 { log.add(stream, .serverMessage, TestLog.message([1, 2]), .server) }
    log.entries[2].payloadTruncated = true
    log.end(99, 0)
    let lines = try await log.run().output.split(separator: "\n").dropFirst(2)
    for words in [
      "server", "Watch", "—    6 B in 3", "truncated",
    ] {
      #expect(lines.first?.contains(words) == true, "\(words)")
    }
    #expect(lines.last?.contains("its start is not in the recording") == true)
  }

  @Test func messagesAreNotTruncated() async throws {
    var log = TestLog()
    let message = "failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:50051: x"
    log.end(log.begin(), 14, message)
    #expect(try await log.run().output.hasSuffix("\(message)\n"))
  }

  @Test func showsTheResourceOfARequest() async throws {
    var log = TestLog()
    let create = CreateTripRequest(parent: "providers/p", tripId: "new")
    log.send(log.begin("/maps.fleetengine.v1.TripService/CreateTrip"), create)
    let search = SearchVehiclesRequest(parent: "providers/q", tripId: "other")
    log.send(log.begin("/maps.fleetengine.v1.VehicleService/SearchVehicles"), search)
    log.send(log.begin("/unknown.Service/GetTrip"), create)
    let lines = try await log.run().output.split(separator: "\n").dropFirst(2)
    #expect(lines.first?.contains("  new  ") == true)
    #expect(lines.dropFirst().first?.contains("  providers/q  ") == true)
    #expect(lines.last?.contains("providers") == false)
  }

  @Test func keepsTheOrderOfManyCalls() async throws {
    var log = TestLog()
    // Later calls are not written while this one is open.
    let open = log.begin()
    for _ in 0..<2_500 { log.getTrip(Self.request("providers/p/trips/t"), Trip()) }
    log.end(open, 14)
    for _ in 0..<2_500 { log.getTrip(Self.request("providers/p/trips/t"), Trip()) }
    let lines = try await log.run().output.split(separator: "\n")
    #expect(lines.count == 5_003)
    let numbers = lines.dropFirst(2).compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(numbers == (1...5_001).map(String.init))
  }

  @Test func continuesAfterDamage() async throws {
    var log = TestLog()
    log.getTrip(Self.request("providers/p/trips/t1"), Trip())
    let test = TestConsole()
    try await withFile(log.bytes.dropLast(20) + log.bytes.dropLast(3)) { path in
      #expect(await test.run("log", path) == .success)
      #expect(test.error.split(separator: "\n").allSatisfy { $0.hasPrefix("warning: \(path)") })
    }
    #expect(test.output.split(separator: "\n").count == 4)
    #expect(test.error.contains("truncated"))
  }

  @Test(arguments: [
    (["log"], 2, "FILE is missing"), (["log", "/nowhere/b", "-"], 1, "/nowhere/b: No such"),
    (["log", "/nowhere/a"], 1, "/nowhere/a: No such file or directory"),
    (["log", "/etc/passwd"], 1, "not a gRPC binary log: the content looks like text"),
  ])
  func reportsErrors(arguments: [String], code: Int32, words: String) async {
    let test = TestConsole()
    #expect(await tripwire(arguments, test.console).rawValue == code)
    #expect(test.output.isEmpty)
    #expect(test.error.contains(words))
  }

  @Test func showsTheDayAndTheTimeZoneWhenTheyChange() async throws {
    var log = TestLog()
    for milliseconds in [0, 1, 86_400_000, 90_000_000_000] as [Int64] {
      log.now = milliseconds
      log.getTrip(Self.request("providers/p/trips/t"), Trip())
    }
    let test = TestConsole()
    var console = test.console
    // An hour ahead of UTC, and two after a thousand days.
    console.clock = {
      WallClock(now: 0) { $0 < TestConsole.clock.now + 86_400_000 ? 3_600 : 7_200 }
    }
    let code = try await withFile(log.bytes) { [console] in await tripwire(["log", $0], console) }
    #expect(code == .success)
    let days = test.output.split(separator: "\n").filter { $0.contains("times in") }
    #expect(
      days == [
        "2026-11-21, times in +01:00, names relative to providers/p/trips/",
        "2026-11-22, times in +01:00", "2029-09-28, times in +02:00",
      ])
    #expect(test.output.contains("  10:30:00.001  "))
  }

  @Test func commonParentEndsAtASlash() {
    #expect(commonParent(of: []) == nil)
    #expect(commonParent(of: ["t1"]) == "")
    #expect(commonParent(of: ["a/b/c", "a/b/cd"]) == "a/b/")
    #expect(commonParent(of: ["a/b/c", "a/bb/c"]) == "a/")
    #expect(commonParent(of: ["a/b", "a/b/c"]) == "a/")
    #expect(commonParent(of: ["a/b", "b/a"]) == "")
  }

  @Test func commonParentIgnoresProviders() {
    #expect(commonParent(of: ["providers/p"]) == "")
    #expect(commonParent(of: ["providers/p", "providers/p/tasks/k1"]) == "providers/p/tasks/")
    #expect(
      commonParent(of: ["providers/p/tasks/k1", "providers/p", "providers/p/trips/t1"])
        == "providers/p/")
    #expect(commonParent(of: ["providers/p/tasks/k1", "providers/q/tasks/k1"]) == "providers/")
  }

  @Test func reportsAnEmptyRecording() async throws {
    let (code, output, error) = try await TestLog().run()
    #expect((code, output) == (.success, ""))
    #expect(error.hasSuffix(": the recording contains no calls\n"))
  }
}
