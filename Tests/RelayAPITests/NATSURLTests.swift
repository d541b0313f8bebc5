import RelayAPI
import Testing
import WireGRPC

@Suite struct NATSURLTests {
  @Test(arguments: [
    ("nats://h", "h", nil, "nats://h"),
    ("nats://h/", "h", nil, "nats://h"),
    ("tls://h:1", "h", 1, "tls://h:1"),
    ("h:1", "h", 1, "h:1"),
    ("nats://[::1]:4222", "::1", 4222, "nats://[::1]:4222"),
    ("nats://user:hush-hush@h:1", "h", 1, "nats://h:1"),
    ("nats://token@h", "h", nil, "nats://h"),
    // A password may contain any character.
    ("nats://fleet:hush/hush@h:1", "h", 1, "nats://h:1"),
    ("nats://fleet:h@u@sh://x@h:1", "h", 1, "nats://h:1"),
  ])
  func hasAHostAPortAndATextForMessages(
    text: String, host: String, port: UInt16?, redacted: String
  ) throws {
    let url = NATSURL(text)
    #expect(url.text == text)
    #expect(try url.place() == HostAndPort(host: host, port: port))
    #expect(url.redacted == redacted)
  }

  @Test(arguments: [
    ("", HostAndPort.Problem.badHost), ("nats://", .badHost), ("nats://a/b", .badHost),
    ("nats://h:1/b", .badHost), ("nats://h//", .badHost), ("nats://::1:4222", .badHost),
    ("nats://hush hush", .badHost), ("nats://u:p@", .badHost), ("nats://:1", .noHost),
    ("nats://h:0", .badPort), ("nats://h:65536", .badPort), ("nats://h:x", .badPort),
    ("nats://[::1", .badBracket),
  ])
  func invalidPlaceIsReported(text: String, problem: HostAndPort.Problem) {
    #expect(throws: problem) { try NATSURL(text).place() }
  }

  @Test(arguments: [
    ("nats://h", "nats", false), ("tls://h", "tls", true), ("h", nil, false),
    ("nats://u:tls://@h", "nats", false), ("http://h", "http", false),
  ])
  func schemeDecidesAboutTLS(text: String, scheme: String?, requiresTLS: Bool) {
    #expect(NATSURL(text).scheme == scheme)
    #expect(NATSURL(text).requiresTLS == requiresTLS)
  }

  @Test func listHasCommas() {
    #expect(NATSURL.list("nats://a,tls://b:1").map(\.text) == ["nats://a", "tls://b:1"])
    #expect(NATSURL.list("nats://a,").map(\.text) == ["nats://a", ""])
  }
}
