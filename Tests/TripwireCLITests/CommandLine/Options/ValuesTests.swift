import Testing

@testable import CommandLine
@testable import CommandResources
@testable import CommandShell
@testable import Tripwire

@Suite struct ValuesTests {
  @Test(arguments: [
    ("15s", Duration.seconds(15)), ("500ms", .milliseconds(500)), ("2m", .seconds(120)),
    ("1.5h", .seconds(5_400)), (".5s", .milliseconds(500)), ("0.25ms", .microseconds(250)),
  ])
  func parsesDurations(text: String, duration: Duration) throws {
    #expect(try Parse.duration(text) == duration)
  }

  @Test(arguments: [
    "", "s", "-1s", "0", "0x", "1 s", "1S", "1d", "1.2.3s", "1e3s", "nans", "infs",
    "٣s", "1sx",
  ])
  func invalidDurationsAreRejected(text: String) {
    let error = #expect(throws: InvalidValue.self) { try Parse.duration(text) }
    #expect(error == InvalidValue("expected a duration such as 500ms, 15s, 2m or 24h"))
  }

  @Test(arguments: ["0s", "0.0ms", "0.0000000001s"]) func zeroDurationsAreRejected(text: String) {
    #expect(throws: InvalidValue("must be greater than 0")) { try Parse.duration(text) }
  }

  @Test func tooLongDurationsAreRejected() {
    #expect(throws: InvalidValue("must be at most 99999999h")) {
      try Parse.duration("99999999999h")
    }
  }

  @Test(arguments: [
    "0x10,1", "1,0x1p3", "inf,1", "nan,1", "1,-inf", "1e1,1", "1,infinity", "1,", ",1", "1",
    "1,2,3", "1 ,2", "90.1,0", "0,-180.5", "1-2,3", ".,1", "--1,2", "1\u{301},2",
  ])
  func placesNotInDecimalDegreesAreRejected(text: String) {
    let expected =
      "expected LAT,LNG in degrees, LAT from -90 to 90 and LNG from -180 to 180, such as 37.7749,-122.4194"
    #expect(throws: InvalidValue(expected)) {
      try Parse.place(text)
    }
  }

  @Test(arguments: [
    ("37.7749,-122.4194", 37.7749, -122.4194), ("-0, +1.5", 0, 1.5), (".5,5.", 0.5, 5),
    ("90,-180", 90, -180),
  ])
  func parsesPlaces(text: String, latitude: Double, longitude: Double) throws {
    let place = try Parse.place(text)
    #expect((place.latitude, place.longitude) == (latitude, longitude))
  }

  @Test(arguments: ["4G", "10GiB", "9223372036854775807G"])
  func tooLargeByteCountsAreRejected(text: String) {
    #expect(throws: InvalidValue("must be less than 4GiB")) { try Parse.byteCount(text) }
  }

  @Test(arguments: ["0", "0K"]) func zeroByteCountsAreRejected(text: String) {
    #expect(throws: InvalidValue("must be greater than 0")) { try Parse.byteCount(text) }
  }

  @Test func durationWithoutAUnitIsRejected() {
    let error = #expect(throws: InvalidValue.self) { try Parse.duration("1.5") }
    #expect(error == InvalidValue("the unit is missing: expected 1.5s, 1.5ms or 1.5m"))
  }

  @Test(arguments: [
    ("1", 1), ("4194304", 4_194_304), ("16M", 16 << 20), ("16MiB", 16 << 20), ("8K", 8_192),
    ("1G", 1 << 30), ("4294967295", 4_294_967_295),
  ])
  func parsesByteCounts(text: String, bytes: Int) throws {
    #expect(try Parse.byteCount(text) == bytes)
  }

  @Test(arguments: [
    "", "0", "-1", "1.5M", "M", "16MB", "16 M", "0x10",
  ])
  func invalidByteCountsAreRejected(text: String) {
    #expect(throws: InvalidValue.self) { try Parse.byteCount(text) }
  }

  @Test(arguments: [
    ("localhost", "localhost:443"), ("localhost:50051", "localhost:50051"),
    ("127.0.0.1:1", "127.0.0.1:1"), ("[::1]", "[::1]:443"), ("[::1]:65535", "[::1]:65535"),
    ("unix:/run/fleet.sock", "unix:/run/fleet.sock"),
    ("unix:///run/fleet.sock", "unix:///run/fleet.sock"), ("unix:/a@b", "unix:/a@b"),
    ("dns:///localhost:1", "dns:///localhost:1"), ("ipv4:127.0.0.1:1", "ipv4:127.0.0.1:1"),
    ("ipv6:[::1]:1", "ipv6:[::1]:1"), ("dns:1", "dns:1"),
  ])
  func parsesEndpoints(text: String, endpoint: String) throws {
    #expect(try Parse.endpoint(text) == endpoint)
  }

  @Test(arguments: [
    ("", "expected HOST[:PORT]"),
    (
      "https://localhost:443",
      "expected HOST[:PORT] without a scheme; TLS is the default, and --plaintext disables it"
    ),
    ("unix:", "the socket path is empty"),
    ("localhost/x", "expected HOST[:PORT]"), ("a b", "expected HOST[:PORT]"),
    (":443", "expected a host before the port"),
    ("localhost:", "expected a port from 1 to 65535 after the colon"),
    ("localhost:0", "expected a port from 1 to 65535 after the colon"),
    ("localhost:65536", "expected a port from 1 to 65535 after the colon"),
    ("localhost:http", "expected a port from 1 to 65535 after the colon"),
    ("localhost:+1", "expected a port from 1 to 65535 after the colon"),
    ("::1", "expected an IPv6 address in brackets: [::1] or [::1]:PORT"),
    ("::1:50", "ambiguous address: write [::1]:50, or [::1:50] without a port"),
    ("[::1", "expected [ADDRESS]:PORT"), ("[::1]443", "expected [ADDRESS]:PORT"),
  ])
  func reportsInvalidEndpoints(text: String, reason: String) {
    let error = #expect(throws: InvalidValue.self) { try Parse.endpoint(text) }
    #expect(error?.reason == reason)
  }

  @Test(arguments: [
    "[]:1", "a?b", "a\u{7F}", "\u{1B}[31m", "zürich.example", "ipv4:localhost:1",
    "unix:" + String(repeating: "/x", count: 200),
  ])
  func invalidTargetsAreRejected(text: String) {
    #expect(throws: InvalidValue.self) { try Parse.endpoint(text) }
  }

  @Test(arguments: ["fleet.example", "fleet.example:443", "[::1]:443", "::1", "127.0.0.1"])
  func parsesAuthorities(text: String) throws {
    #expect(try Parse.authority(text) == text)
  }

  @Test(arguments: ["", "a b", "a\nb", "a\u{1B}", "é", "user@host", "a/b", "a:b"])
  func invalidAuthoritiesAreRejected(text: String) {
    #expect(throws: InvalidValue.self) { try Parse.authority(text) }
  }

  @Test(arguments: ["journey-sharing-v1s", "JOURNEY_SHARING_V1S", "Journey-Sharing_v1s"])
  func parsesChoices(text: String) throws {
    #expect(try Choice([("sdk", 1), ("journey-sharing-v1s", 2)]).value(text) == 2)
  }

  @Test func suggestsTheNearestChoice() {
    let choice = Choice([("json", 1), ("text", 2)])
    #expect(throws: InvalidValue("expected json or text", hint: "did you mean json?")) {
      try choice.value("jsno")
    }
    #expect(throws: InvalidValue("expected json or text")) { try choice.value("yaml") }
  }

  @Test(arguments: [
    ("arived", "did you mean arrived-at-pickup or arrived-at-drop?"),
    ("ENROUTE_TO_PICUP", "did you mean enroute-to-pickup?"),
    ("pikup", "did you mean enroute-to-pickup or arrived-at-pickup?"), ("at", nil), ("xyz", nil),
  ])
  func suggestsChoicesThatContainTheWord(text: String, hint: String?) {
    let names = ["new", "enroute-to-pickup", "arrived-at-pickup", "arrived-at-drop"]
    let choice = Choice(names.map { ($0, $0) })
    let expected = "expected one of new, enroute-to-pickup, arrived-at-pickup, arrived-at-drop"
    #expect(throws: InvalidValue(expected, hint: hint)) { try choice.value(text) }
  }

  @Test(arguments: ["127.0.0.1:50051", "[::1]:0", "localhost:65535", ":50051", ":0", "0.0.0.0:1"])
  func parsesListenAddresses(text: String) throws {
    #expect(try Parse.listenAddress(text) == text)
  }

  @Test(arguments: [
    ("127.0.0.1:80000", "a port from 0 to 65535"), (":80000", "a port from 0 to 65535"),
    (":", "a port from 0 to 65535"), ("127.0.0.1", "expected HOST:PORT"),
    ("50051", "expected HOST:PORT"),
    ("example.com:50051", "numeric address"), ("", "expected HOST:PORT"),
  ])
  func reportsInvalidListenAddresses(text: String, reason: String) {
    let error = #expect(throws: InvalidValue.self) { try Parse.listenAddress(text) }
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }
}
