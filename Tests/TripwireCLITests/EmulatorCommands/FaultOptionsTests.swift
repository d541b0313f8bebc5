import CommandLine
import CommandShell
import FleetEmulator
import TestSupport
import Testing
import WireGRPC
import WireProtobuf

@testable import EmulatorCommands

@Suite struct FaultOptionsTests {
  private static let forms: [(String, Fault)] = [
    ("UNAVAILABLE", Fault(effect: .status(RPCStatus(code: 14, message: "failed on purpose")))),
    (
      "not_found,method=GetTrip,method=GetVehicle,for=20s,times=3",
      Fault(
        methods: ["GetTrip", "GetVehicle"], duration: WireDuration(.seconds(20)), times: 3,
        effect: .status(RPCStatus(code: 5, message: "failed on purpose")))
    ),
    (
      "latency=500ms,resource=trips/t1,after=1m",
      Fault(
        resource: "trips/t1", start: WireDuration(.seconds(60)),
        effect: .latency(WireDuration(.milliseconds(500))))
    ),
    ("quota", Fault(effect: .quota(Quota()))),
    ("quota=60", Fault(effect: .quota(Quota(callsPerMinute: 60)))),
    ("silence", Fault(effect: .silence(Empty()))),
    ("disconnect,times=1", Fault(times: 1, effect: .disconnect(Empty()))),
    (
      "stuck-location,resource=vehicles/v1",
      Fault(resource: "vehicles/v1", effect: .stuckLocation(Empty()))
    ),
  ]

  @Test(arguments: forms) func faultsHaveAShortForm(_ text: String, _ fault: Fault) throws {
    #expect(try Parse.fault(text) == fault)
  }

  private static let effects =
    "expected a status such as UNAVAILABLE, latency=TIME, quota, quota=CALLS, silence, disconnect or"
    + " stuck-location instead of "

  @Test(arguments: [
    ("", effects + "''"), ("OK", effects + "'OK'"), ("14", effects + "'14'"),
    ("GetTrip:UNAVAILABLE", effects + "'GetTrip:UNAVAILABLE'"),
    ("silence=1", effects + "'silence=1'"), ("latency", "the latency needs a duration"),
    ("latency=2", "the unit is missing"), ("latency=2h", "latency must be positive"),
    ("quota=x", "expected a whole number"), ("silence,for", "expected KEY=VALUE instead of 'for'"),
    ("silence,", "expected KEY=VALUE instead of ''"), ("silence,until=2s", "unknown key 'until'"),
    ("silence,for=2s,for=3s", "the key for is repeated"),
    ("silence,times=0", "expected a whole number from 1"),
    ("silence,for=0s", "must be greater than 0"),
    ("silence,method=FlyTrip", "method is \"FlyTrip\", which is not a method"),
    ("stuck-location,resource=trips/t1", "resource must be a vehicle"),
  ])
  func wrongFaultsAreRefused(_ text: String, _ reason: String) {
    let error = #expect(throws: InvalidValue.self) { try Parse.fault(text) }
    #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
  }

  // MARK: Files

  private func faults(_ text: String) throws -> [Fault] {
    try withTemporaryFile(text.utf8) { try FaultsFile.faults($0) }
  }

  @Test func filesHaveTheFaultsOfTheirJSON() throws {
    let text = """
      \u{FEFF}{"faults": [
        {"methods": ["GetTrip"], "duration": "20s", "status": {"code": 7, "message": "no", "details": [
          {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "R"}]}},
        {"quota": {"callsPerMinute": 3}}, {"stuck_location": {}}]}
      """
    let faults = try faults(text)
    #expect(faults.count == 3)
    #expect(faults[0].status?.code == 7)
    #expect(try faults[0].status?.details.first?.unpack(ErrorInfo.self)?.reason == "R")
    #expect(faults[1].quota?.callsPerMinute == 3)
    #expect(try self.faults("{}") == [])
  }

  @Test(arguments: [
    ("", ":1:1: "), ("{\"faults\":\n [{\"silense\": {}}]}", ":2:4: faults[0]: "),
    ("{\"faults\": [\n{\"silence\": {}},\n{\"times\": 1}]}", ":3:1: faults[1]: has no effect"),
    (
      "{\"faults\": [{\"silence\": {}, \"methods\": [\"GetTrip\",\n \"x\"]}]}",
      ":2:2: faults[0].methods[1]: is \"x\""
    ),
    (
      "{\"faults\": [{\"quota\": {\n\"callsPerMinute\": -1}}]}",
      ":2:19: faults[0].quota.calls_per_minute: must not be negative"
    ),
    ("{\"faults\": [{\"status\": {\"code\": \"UNAVAILABLE\"}}]}", ":1:34: faults[0].status.code: "),
    (
      "{\"faults\": [{\"status\": {\"code\": 14, \"details\": [{\"@type\": \"a.b/x.Y\"}]}}]}",
      ":1:"
    ),
  ])
  func errorsHaveTheirPlace(_ text: String, _ place: String) {
    let error = #expect(throws: ErrorReport.self) { try faults(text) }
    let message = error?.message ?? ""
    #expect(message.hasPrefix("--faults: ") && message.contains(place), "\(message)")
    #expect(error?.hint?.hasPrefix("correct ") == true)
  }

  @Test func aMissingFileIsNamed() {
    let error = #expect(throws: ErrorReport.self) { try FaultsFile.faults("/nonexistent") }
    #expect(error?.message.contains("nonexistent") == true)
  }
}
