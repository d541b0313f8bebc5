import Recording
import Testing
import WireProtobuf

@testable import CommandShell
@testable import Tripwire
@testable import TripwireCLI

@Suite struct CallDetailTests {
  @Test func showsEachEventOfACall() async throws {
    let request = GetTripRequest(name: "providers/p/trips/t\u{9b}1")
    var log = TestLog()
    _ = log.begin()
    let id = log.begin(metadata: [("x-a", [0x1b]), ("x-bin", [0, 255]), ("cookie", [0x61])])
    log.now = 1
    log.send(id, request)
    log.now = 1_500
    log.add(id, .serverHeader, .serverHeader(BinlogServerHeader()))
    log.add(id, .serverMessage, TestLog.message([0xff]))
    let status = RPCStatus(details: [AnyMessage(packing: ErrorInfo(reason: "RATE_LIMIT\n"))])
    log.end(id, 8, "too\tmuch", details: status.serializedBytes())
    let (code, output, error) = try await log.run("--call", "2")
    #expect((code, error) == (.success, ""))
    #expect(
      output == #"""
        2026-11-21, times in UTC
        09:30:00.000              call 2: /maps.fleetengine.v1.TripService/GetTrip at fleetengine.googleapis.com
          x-a: \u{1b}
          x-bin: AP8=
          cookie: <redacted>
        09:30:00.001  +1.0 ms     request, 24 bytes
          {
            "name": "providers/p/trips/t\u009b1"
          }
        09:30:00.001  +0.0 ms     half-close
        09:30:01.500  +1.499 s    response headers
        09:30:01.500  +0.0 ms     response, 1 byte
          not a valid maps.fleetengine.v1.Trip: Trip at byte 0: truncated
          in base64:
          /w==
        09:30:01.500  +0.0 ms     RESOURCE_EXHAUSTED: too\tmuch
          reason RATE_LIMIT\n

        """#)
  }

  /// Credentials are recognized under any name, in text and in bytes.
  @Test(arguments: [false, true])
  func credentialsAreMasked(isJSON: Bool) async throws {
    var log = TestLog()
    let long = String(repeating: "a", count: 300)
    _ = log.begin(metadata: [
      ("x-forwarded-authz", Array("Bearer hidden".utf8)), ("x-jwt", Array("eyJh.eyJi.hidden".utf8)),
      ("x-id-bin", Array("ya29.hidden".utf8)), (long + "token", Array("hidden".utf8)),
      ("x-plain", Array("shown".utf8)),
    ])
    let (code, output, _) =
      isJSON ? try await log.run("--json") : try await log.run("--call", "1")
    #expect(code == .success)
    #expect(!output.contains("hidden") && output.contains("shown"))
    #expect(!output.contains(Base64.encode(Array("ya29.hidden".utf8), padded: true)))
  }

  @Test(arguments: [["--call", "0"], ["--call", "x"], ["--call"]])
  func callOptionRequiresANumber(arguments: [String]) async {
    let test = TestConsole()
    #expect(await tripwire(["log", "f"] + arguments, test.console) == .usage)
  }

  @Test func labelsBase64() async throws {
    var log = TestLog()
    let id = log.begin("other.Service/Do")
    log.add(id, .clientMessage, TestLog.message([1, 2, 3]))
    log.add(id, .clientMessage, TestLog.message([4]))
    let lines = try await log.run("--call", "1").output.split(separator: "\n")
    #expect(
      lines.suffix(5) == [
        "  in base64 (unknown type; pass --protoset FILE):", "  AQID",
        lines[5], "  in base64:", "  BA==",
      ])
  }

  @Test func decodesTheFieldsOfATruncatedMessage() async throws {
    let bytes = Trip(name: "providers/p/trips/t1", vehicleId: "v1").serializedBytes()
    var log = TestLog()
    let id = log.begin()
    for count in [bytes.count - 1, 5] {
      let message = BinlogMessage(length: UInt32(bytes.count), data: Array(bytes.prefix(count)))
      log.add(id, .serverMessage, .message(message))
    }
    let lines = try await log.run("--call", "1").output.split(separator: "\n").map(String.init)
    let length = bytes.count
    #expect(
      lines.suffix(7) == [
        "  \(length - 1) of \(length) bytes recorded, with these fields:", "  {",
        #"    "name": "providers/p/trips/t1""#, "  }", lines[7],
        "  5 of \(length) bytes recorded, in base64:", "  ChRwcm8=",
      ])
  }
}
