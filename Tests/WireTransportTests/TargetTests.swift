import Testing

@testable import WireGRPC
@testable import WireTransport

@Suite struct HostAndPortTests {
  @Test(
    arguments: [
      ("a", "a", nil), ("a:1", "a", 1), ("a.:65535", "a.", 65535), ("[::1]", "::1", nil),
      ("[::1]:2", "::1", 2), ("fe80::1%eth0", "fe80::1%eth0", nil),
    ] as [(String, String, UInt16?)])
  func parsesHostAndPort(text: String, host: String, port: UInt16?) throws {
    #expect(try HostAndPort(text) == HostAndPort(host: host, port: port))
  }

  @Test(
    arguments: [
      ("", .badHost), (":1", .noHost), ("a:", .badPort), ("a:0", .badPort), ("a:65536", .badPort),
      ("a:+1", .badPort), ("a:１", .badPort), ("a b", .badHost), ("a/b", .badHost),
      ("u@a:1", .badHost), ("a\r\nb:1", .badHost), ("é", .badHost), ("[::1", .badBracket),
      ("[::1]1", .badBracket), ("[]:1", .badHost),
    ] as [(String, HostAndPort.Problem)])
  func invalidTextIsRejected(text: String, problem: HostAndPort.Problem) {
    #expect(throws: problem) { try HostAndPort(text) }
  }

  @Test func portZeroIsAllowedForListening() throws {
    #expect(try HostAndPort("a:0", lowestPort: 0).port == 0)
  }
}

@Suite struct TargetTests {
  @Test(
    arguments: [
      ("fleet.example", "fleet.example", "fleet.example:443"),
      ("fleet.example:50051", "fleet.example:50051", "fleet.example:50051"),
      ("localhost:50051", "localhost:50051", "localhost:50051"),
      ("127.0.0.1:80", "127.0.0.1:80", "127.0.0.1:80"),
      ("[::1]:50051", "[::1]:50051", "[::1]:50051"), ("[::1]", "[::1]", "[::1]:443"),
      ("::1", "[::1]", "[::1]:443"), ("2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:443"),
      ("1:2:3:4:5:6:7:8", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]:443"),
      ("fe80::1:a%eth0", "[fe80::1:a%eth0]", "[fe80::1:a%eth0]:443"),
      ("[::1:50]", "[::1:50]", "[::1:50]:443"), ("::1:0050", "[::1:0050]", "[::1:0050]:443"),
      ("dns:///fleet.example:1", "fleet.example:1", "fleet.example:1"),
      ("dns:fleet.example", "fleet.example", "fleet.example:443"),
      ("ipv4:127.0.0.1:5", "127.0.0.1:5", "127.0.0.1:5"),
      ("ipv4:127.0.0.1:5,127.0.0.2", "127.0.0.1:5", "127.0.0.1:5,127.0.0.2:443"),
      ("ipv6:[::1]:5", "[::1]:5", "[::1]:5"),
      ("unix:run/s.sock", "localhost", "unix:run/s.sock"),
      ("unix:///run/s.sock", "localhost", "unix:/run/s.sock"),
      ("unix:/run/s.sock", "localhost", "unix:/run/s.sock"),
      ("unix-abstract:fleet", "localhost", "unix-abstract:fleet"),
      ("unix-abstract:///run/s", "localhost", "unix-abstract:/run/s"),
    ])
  func parsesTargets(_ text: String, _ authority: String, _ description: String) throws {
    let target = try Target(text)
    #expect(target.authority == authority)
    #expect(target.description == description)
  }

  @Test(
    arguments: [
      ("", "it is empty; write it as host:port, dns:///host:port or unix:/path"),
      (":1", "host:port"), ("host:", "the port must be a number from 1 to 65535"),
      ("host:x", "the port must be a number from 1 to 65535"),
      ("host:+1", "the port must be a number from 1 to 65535"),
      ("host:0", "the port 0 is out of range; ports are 1 to 65535"),
      ("host:65536", "the port 65536 is out of range; ports are 1 to 65535"),
      ("[::1]:70000", "the port 70000 is out of range"),
      ("ipv4:127.0.0.1:70000", "the port 70000 is out of range"),
      ("::1:50", "write [::1]:50, or [::1:50] without a port"),
      ("dns:///2001:db8::1:443", "write [2001:db8::1]:443, or [2001:db8::1:443]"),
      ("ipv6:::1:50", "write [::1]:50, or"),
      ("::1:50051", "an IPv6 address with a port requires brackets; write [::1]:50051"),
      (
        "1:2:3:4:5:6:7:8:50",
        "an IPv6 address with a port requires brackets; write [1:2:3:4:5:6:7:8]:50"
      ),
      ("a:b:1", "it has colons and is not an IPv6 address; write it as host:port"),
      ("[::1", "host:port"), ("[::1]x", "host:port"), ("a b:1", "host:port"),
      ("user@host:1", "host:port"), ("host/path", "host:port"),
      ("https://host", "the scheme \"https:\" is unknown"), ("dns://8.8.8.8/host", "name server"),
      ("ipv4:host:1", "\"host:1\" is not an ipv4 address"), ("ipv4:", "is not an ipv4 address"),
      ("ipv6:127.0.0.1:1", "is not an ipv6 address"), ("unix:", "the socket path is empty"),
      ("unix-abstract:", "the socket name is empty"),
      ("unix-abstract:" + String(repeating: "x", count: 108), "the name of the unix socket cannot"),
    ])
  func malformedTargetsAreReported(_ text: String, _ expected: String) throws {
    let failure = try #require(throws: ConnectionFailure.self) { try Target(text) }
    #expect(failure.reason == .configuration)
    #expect(failure.detail.contains(expected), "\(failure)")
  }

  @Test(arguments: [
    "https://u:hidden@host:1", "u:hidden@host", "dns:///u:hidden@host", "x:u:hidden@host",
  ])
  func passwordsAreNotPrinted(_ text: String) throws {
    let failure = try #require(throws: ConnectionFailure.self) { try Target(text) }
    #expect(!"\(failure) \(CallError(failure))".contains("hidden"))
    #expect(failure.peer.hasSuffix("@host") || failure.peer.hasSuffix("@host:1"), "\(failure)")
  }

  // MARK: Host and port

  @Test(
    arguments: [
      ("fleet.example", 50051, "fleet.example:50051"), ("127.0.0.1", 1, "127.0.0.1:1"),
      ("::1", 50, "[::1]:50"), ("[::1]", 65535, "[::1]:65535"), ("::1:50", 50, "[::1:50]:50"),
      ("fe80::1%eth0", 443, "[fe80::1%eth0]:443"),
    ])
  func hostAndPortMakeATarget(_ host: String, _ port: Int, _ expected: String) throws {
    let target = try Target(host: host, port: port)
    #expect(target.authority == expected)
    #expect(target.description == expected)
    #expect(try Target(expected).endpoint == target.endpoint)
  }

  @Test(arguments: [-1, 0, 65536, Int.max])
  func portsOutOfRangeAreRejected(_ port: Int) throws {
    let failure = try #require(throws: ConnectionFailure.self) {
      try Target(host: "fleet.example", port: port)
    }
    #expect(failure.reason == .configuration)
    #expect(failure.peer == "fleet.example")
    #expect(failure.detail == "the port \(port) is out of range; ports are 1 to 65535")
  }

  @Test(arguments: [
    "", "a b", "localhost:50", "[::1]:50", "[localhost]", "unix:/run/s.sock", "dns:///a",
    "https://a", "1:2", "[::1", "é",
  ])
  func invalidHostsAreRejected(_ host: String) throws {
    let failure = try #require(throws: ConnectionFailure.self) { try Target(host: host, port: 50) }
    #expect(failure.reason == .configuration)
    #expect(failure.detail.hasPrefix("the host must be a name, an IPv4 address or an IPv6 address"))
  }

  @Test func passwordsInHostsAreNotPrinted() throws {
    let failure = try #require(throws: ConnectionFailure.self) {
      try Target(host: "u:hidden@host", port: 50)
    }
    #expect(failure.peer == "…@host" && !failure.detail.contains("hidden"))
  }
}
