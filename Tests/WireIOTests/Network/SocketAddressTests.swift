import Testing

@testable import WireIO
@testable import WireSystem

@Suite struct SocketAddressTests {
  @Test(arguments: [
    ("127.0.0.1", 50051, "127.0.0.1:50051"),
    ("0.0.0.0", 0, "0.0.0.0:0"),
    ("255.255.255.255", 65535, "255.255.255.255:65535"),
    ("::1", 443, "[::1]:443"),
    ("2001:db8:0:0:0:0:0:1", 1, "[2001:db8::1]:1"),
    ("::ffff:10.0.0.1", 80, "[::ffff:10.0.0.1]:80"),
    ("fe80::1%lo", 80, "[fe80::1%lo]:80"),
  ])
  func parsesNumericHosts(host: String, port: UInt16, description: String) throws {
    let address = try #require(SocketAddress(numericHost: host, port: port))
    #expect(address.description == description)
    #expect(address.port == port)
    #expect(address.unixPath == nil)
    #expect(address.family == (host.contains(":") ? .ipv6 : .ipv4))
    #expect(
      "\(address.host)"
        == description.prefix { _ in true }.dropLast("\(port)".count + 1)
        .filter { $0 != "[" && $0 != "]" })
  }

  @Test(arguments: ["", "localhost", "127.0.0.1:80", "[::1]", "::1::", "1.2.3.4.5", "127.0.0.1\0x"])
  func otherHostsAreRejected(host: String) {
    #expect(SocketAddress(numericHost: host, port: 80) == nil)
  }

  @Test func comparesByHostAndPort() {
    let address = SocketAddress(numericHost: "127.0.0.1", port: 80)
    #expect(address == SocketAddress(numericHost: "127.0.0.1", port: 80))
    #expect(address != SocketAddress(numericHost: "127.0.0.1", port: 81))
    #expect(address != SocketAddress(numericHost: "127.0.0.2", port: 80))
    #expect(address != SocketAddress(numericHost: "::ffff:127.0.0.1", port: 80))
  }

  @Test func describesUnixPaths() throws {
    let address = try SocketAddress(unixPath: "/tmp/a b.sock")
    #expect(address.description == "unix:/tmp/a b.sock")
    #expect(address.unixPath == "/tmp/a b.sock")
    #expect(address.port == nil)
    #expect(address.family == .unix)
  }

  #if os(Linux)
    @Test func describesAbstractNames() throws {
      let address = try SocketAddress(abstractName: "fleet")
      #expect(address.description == "unix-abstract:fleet")
      #expect((address.host, address.unixPath) == ("fleet", ""))
      #expect(try address != SocketAddress(unixPath: "fleet"))
      _ = try SocketAddress(abstractName: String(repeating: "x", count: 107))
      #expect(throws: IOError.self) {
        try SocketAddress(abstractName: String(repeating: "x", count: 108))
      }
    }
  #endif

  @Test func rejectsInvalidUnixPaths() throws {
    let tooLong = "/" + String(repeating: "x", count: 107)
    #expect(throws: IOError(code: .nameTooLong, operation: "use unix socket \(tooLong)")) {
      try SocketAddress(unixPath: tooLong)
    }
    _ = try SocketAddress(unixPath: String(tooLong.dropLast(5)))
    for path in ["", "a\0b"] {
      #expect(throws: IOError(code: .noSuchFile, operation: "use unix socket \(path)")) {
        try SocketAddress(unixPath: path)
      }
    }
  }

  @Test func unmapsIPv4() throws {
    let mapped = try #require(SocketAddress(numericHost: "::ffff:10.1.2.3", port: 7))
    #expect("\(mapped.unmapped)" == "10.1.2.3:7")
    for host in ["::1", "::", "10.1.2.3", "fe80::ffff:10.1.2.3"] {
      let address = try #require(SocketAddress(numericHost: host, port: 7))
      #expect(address.unmapped == address)
    }
  }
}
