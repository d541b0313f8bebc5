import Testing

@testable import CommandLine
@testable import CommandResources
@testable import CommandShell

@Suite struct MapOptionsTests {
  @Test func invalidTileAddressIsRejected() {
    let error = #expect(throws: InvalidValue.self) {
      try Parse.tiles("https://t.example/{z}/{x}/{y}?key={apikey}")
    }
    #expect(error?.reason == "{apikey} is not a known placeholder")
  }

  @Test(arguments: [
    ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("localhost:0", "127.0.0.1", 0, true),
    ("[::1]:1", "::1", 1, true), (":80", "", 80, false), ("0.0.0.0:80", "0.0.0.0", 80, false),
    ("192.0.2.1:80", "192.0.2.1", 80, false), ("127.1.2.3:0", "127.1.2.3", 0, true),
    ("127.1:0", "127.0.0.1", 0, true), ("[0:0:0:0:0:0:0:1]:0", "::1", 0, true),
    ("[::ffff:127.0.0.1]:0", "::ffff:127.0.0.1", 0, true),
    ("[::ffff:192.0.2.1]:0", "::ffff:192.0.2.1", 0, false), ("[::2]:0", "::2", 0, false),
  ])
  func addressOfThePage(text: String, host: String, port: UInt16, isLoopback: Bool) throws {
    let address = try Parse.pageAddress(text)
    #expect((address.host, address.port, address.isLoopback) == (host, port, isLoopback))
  }

  @Test func optionsOfThePageRequireAMap() async throws {
    var log = TestLog()
    log.end(log.begin())
    for options in [["--leaflet", "/tmp"], ["--attribution", "a"]] {
      let (code, _, error) = try await log.run(options)
      #expect(code == .usage && error.hasPrefix("error: \(options[0]) requires --map\n"))
      #expect(error.hasSuffix("\nhint: add --map, or remove \(options[0])\n"))
    }
    let (code, _, error) = try await log.run("--map", "/tmp/x", "--attribution", "a")
    #expect(code == .usage && error.hasPrefix("error: --attribution requires --tiles\n"))
    #expect(error.hasSuffix("\nhint: add --tiles, or remove --attribution\n"))
  }
}
