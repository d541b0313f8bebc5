import Testing

@testable import WireGRPCClient
@testable import WireTransport

@Suite struct ProxyTests {
  @Test(arguments: [
    ("proxy", "proxy:80"), ("proxy:3128", "proxy:3128"), ("http://proxy/", "proxy:80"),
    ("HTTP://Proxy:8080/", "Proxy:8080"), ("https://proxy", "https://proxy:443"),
    ("https://[::1]:3129", "https://[::1]:3129"), ("http://10.1.2.3:1", "10.1.2.3:1"),
    ("http://user:secret@proxy:3128", "proxy:3128"),
  ])
  func parsesURLs(url: String, shown: String) throws {
    #expect(try Proxy(url).description == shown)
  }

  @Test(arguments: [
    ("http://Aladdin:open%20sesame@p", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    ("http://Aladdin:open sesame@p", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    ("http://user@p", "Basic dXNlcjo="), ("u:p@ss@p", "Basic dTpwQHNz"),
    ("http://u:a:b@p", "Basic dTphOmI="),
    ("http://t%C3%A9st:123%C2%A3@p", "Basic dMOpc3Q6MTIzwqM="),
    ("http://u:100%@p", "Basic dToxMDAl"), ("http://u:%0D%0A@p", "Basic dToNCg=="),
  ])
  func decodesCredentials(url: String, header: String) throws {
    #expect(try Proxy(url).authorization == header)
  }

  @Test(arguments: [
    "", "http://", "socks5://proxy:1080", "http://proxy:0", "http://proxy:99999", "http://a b",
    "http://proxy/path", "http://u:hunter2@", "http://u%3Aser:hunter2@p", "http://p\r\nX: y",
    "http://[::1", "ftp://u:hunter2@p", "host:name:port", "http://u:hunter2@[host]:80:1",
  ])
  func refusesInvalidURLs(url: String) throws {
    let error = try #require(throws: ProxyURLError.self) { try Proxy(url) }
    #expect(!error.reason.contains("hunter2"))
  }

  @Test func descriptionsOmitThePassword() {
    let source = ChannelConfiguration.ProxySource.url("http://user:hunter2@proxy:3128")
    var configuration = ChannelConfiguration(security: .plaintext)
    configuration.proxy = source
    var dumped = ""
    dump(configuration, to: &dumped)
    for text in ["\(source)", String(reflecting: source), "\(configuration)", dumped] {
      #expect(!text.contains("hunter2"), "\(text)")
    }
    #expect("\(source)" == "the proxy proxy:3128")
  }
}

@Suite struct ProxyEnvironmentTests {
  private func proxy(
    _ variables: [String: String], for host: String = "fleet.example", port: UInt16 = 443
  ) throws -> String? {
    try ProxyEnvironment { variables[$0] }.proxy(for: host, port: port)?.description
  }

  @Test func firstVariableCounts() throws {
    let all = ["grpc_proxy": "g:1", "https_proxy": "s:1", "http_proxy": "h:1"]
    #expect(try proxy(all) == "g:1")
    #expect(try proxy(all.filter { $0.key != "grpc_proxy" }) == "s:1")
    #expect(try proxy(["http_proxy": "h:1"]) == "h:1")
    #expect(try proxy([:]) == nil)
    #expect(try proxy(["all_proxy": "a:1"]) == nil)
  }

  @Test func acceptsCapitalsExceptForHTTPProxy() throws {
    #expect(try proxy(["HTTPS_PROXY": "s:1"]) == "s:1")
    #expect(try proxy(["GRPC_PROXY": "g:1", "https_proxy": "s:1"]) == "g:1")
    #expect(try proxy(["HTTPS_PROXY": "S:1", "https_proxy": "s:1"]) == "s:1")
    // CGI programs get this variable from their clients.
    #expect(try proxy(["HTTP_PROXY": "evil:1"]) == nil)
    #expect(try proxy(["https_proxy": "s:1", "NO_PROXY": "*"]) == nil)
  }

  @Test func emptyVariableDisablesTheProxy() throws {
    #expect(try proxy(["grpc_proxy": "", "https_proxy": "s:1"]) == nil)
  }

  @Test func noGRPCProxyReplacesNoProxy() throws {
    let both = ["https_proxy": "s:1", "no_grpc_proxy": "a", "no_proxy": "fleet.example"]
    #expect(try proxy(both) == "s:1")
    #expect(try proxy(both, for: "a") == nil)
  }

  @Test(arguments: ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.9.9.9", "::1"])
  func loopbackTargetsUseNoProxy(host: String) throws {
    #expect(try proxy(["https_proxy": "s:1"], for: host) == nil)
  }

  @Test func reportsTheInvalidVariable() throws {
    let error = try #require(throws: ProxyURLError.self) {
      try proxy(["HTTPS_PROXY": "socks5://u:hunter2@p"])
    }
    #expect(error.reason.contains("HTTPS_PROXY"))
    #expect(!error.reason.contains("hunter2"))
  }

  @Test(arguments: [
    ("*", "fleet.example"), ("fleet.example", "fleet.example"), ("FLEET.Example.", "fleet.example"),
    ("fleet.example", "Fleet.Example."), (".example", "fleet.example"),
    ("example", "fleet.example"), ("fleet.example", "b.a.fleet.example"),
    ("fleet.example:443", "a.fleet.example"),
    (".fleet.example", "fleet.example"), ("*.example", "a.b.example"), ("*.example", "example"),
    ("a, fleet.example", "fleet.example"), ("a fleet.example", "fleet.example"),
    (",,a,,fleet.example,", "fleet.example"), ("fleet.example:443", "fleet.example"),
    (".example:443", "fleet.example"), ("10.1.2.3", "10.1.2.3"), ("10.1.2.3:443", "10.1.2.3"),
    ("10.0.0.0/8", "10.255.0.1"), ("10.1.2.3/32", "10.1.2.3"), ("10.1.2.2/31", "10.1.2.3"),
    ("0.0.0.0/0", "8.8.8.8"), ("fd00::/8", "fdab::1"), ("fe80::/10", "febf::1"),
    ("[fd00::1]:443", "fd00::1"), ("fd00::1", "fd00:0:0::1"), ("10.0.0.0/8", "::ffff:10.1.2.3"),
  ])
  func exceptionsMatch(list: String, host: String) throws {
    #expect(try proxy(["https_proxy": "s:1", "no_proxy": list], for: host) == nil)
  }

  @Test(arguments: [
    ("", "fleet.example"), ("leet.example", "fleet.example"), ("a.fleet.example", "fleet.example"),
    (".leet.example", "fleet.example"), ("fleet.example:444", "fleet.example"),
    ("2.3", "10.1.2.3"), (".3", "10.1.2.3"), ("*.3", "10.1.2.3"),
    (".", "fleet.example"), ("fleet*", "fleet.example"), ("http://fleet.example", "fleet.example"),
    ("10.0.0.0/8", "11.0.0.1"), ("10.0.0.0/9", "10.128.0.1"), ("10.0.0.0/33", "10.0.0.1"),
    ("10.0.0.0/-1", "10.0.0.1"), ("10.0.0.0/x", "10.0.0.1"), ("10.0.0.0/8", "fleet.example"),
    ("10.0.0.0/8", "fd00::1"), ("fd00::/8", "10.0.0.1"), ("/8", "10.0.0.1"),
    ("10.1.2.4", "10.1.2.3"), ("fe80::/10", "fec0::1"),
  ])
  func exceptionsDoNotMatch(list: String, host: String) throws {
    #expect(try proxy(["https_proxy": "s:1", "no_proxy": list], for: host) == "s:1")
  }
}
