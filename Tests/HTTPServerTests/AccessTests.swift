import TestSupport
import Testing
import WireSystem

@testable import HTTPServer

/// Which requests are refused.
@Suite(.ownThread) struct AccessTests {
  @Test func onlyNamesOfTheLoopbackAreAllowed() throws {
    let server = try startServer()
    let port = server.port
    for host in ["127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)"] {
      #expect(try PageClient(server).get("/", headers: ["Host": host]).status == 200, "\(host)")
    }
    let others = [
      "evil.example:\(port)", "127.0.0.1", "localhost", "localhost:1", "192.0.2.1:\(port)",
      "::1:\(port)", "localhost.:\(port)", "127.0.0.1:\(port).evil.example", ":\(port)", "",
    ]
    for host in others {
      #expect(try PageClient(server).get("/", headers: ["Host": host]).status == 421, "\(host)")
    }
  }

  @Test func aRequestForAProxyIsRefused() throws {
    let server = try startServer()
    let client = try PageClient(server)
    #expect(try client.get("http://127.0.0.1:\(server.port)/").status == 421)
  }

  @Test(arguments: ["//", "//page.js", "//evil.example/", "//evil.example/page.js", "///"])
  func aPathOfTwoSlashesIsNotFound(path: String) throws {
    let server = try startServer()
    #expect(try PageClient(server).get(path).status == 404)
  }

  @Test func everySpellingOfTheLoopbackIsAllowed() throws {
    let server = try startServer()
    for host in ["127.1.2.3", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]"] {
      let headers = ["Host": "\(host):\(server.port)"]
      #expect(try PageClient(server).get("/", headers: headers).status == 200, "\(host)")
    }
    let headers = ["Host": "[::ffff:192.0.2.1]:\(server.port)"]
    #expect(try PageClient(server).get("/", headers: headers).status == 421)
  }

  @Test func namesOfTheOptionsAreAllowed() throws {
    let server = try startServer { $0.hostNames = ["Map.example", "proxy.example:8080"] }
    let port = server.port
    for host in ["map.example:\(port)", "proxy.example:8080"] {
      #expect(try PageClient(server).get("/", headers: ["Host": host]).status == 200)
    }
    for host in ["map.example:1", "proxy.example:80"] {
      #expect(try PageClient(server).get("/", headers: ["Host": host]).status == 421)
    }
  }

  @Test func aServerForOtherMachinesAcceptsAddressesButNoForeignNames() throws {
    let server = try startServer {
      $0.host = "0.0.0.0"
      $0.key = "k1"
    }
    #expect(server.url == "http://localhost:\(server.port)/k1/")
    for (host, status) in [("192.0.2.1", 200), ("[2001:db8::1]", 200), ("evil.example", 421)] {
      let headers = ["Host": "\(host):\(server.port)"]
      #expect(try PageClient(server).get("/k1/", headers: headers).status == status)
    }
  }

  @Test func withAKeyEveryOtherPathIsNotFound() throws {
    let key = randomDigits(32)
    #expect(key.utf8.count == 32)
    #expect(key != randomDigits(32))
    let server = try startServer { $0.key = key }
    #expect(server.url == "http://127.0.0.1:\(server.port)/\(key)/")
    #expect(try PageClient(server).get("/\(key)/").text == "<!doctype html>")
    #expect(try PageClient(server).get("/\(key)/page.js").text == "run()")
    #expect(try PageClient(server).get("/\(key)/events").status == 200)
    let wrong = String(key.dropLast()) + (key.hasSuffix("0") ? "1" : "0")
    for path in ["/", "/page.js", "/events", "/\(wrong)/", "/\(key)0/", "/\(key.dropLast())/"] {
      #expect(try PageClient(server).get(path).status == 404)
    }
    #expect(try PageClient(server).get("/", method: "POST").status == 404)
  }

  @Test func otherSitesMayNotReadTheUpdates() throws {
    let server = try startServer()
    let own = "http://127.0.0.1:\(server.port)"
    let allowed: [[String: String]] = [
      [:], ["Origin": own], ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"],
    ]
    for headers in allowed {
      #expect(try PageClient(server).get("/events", headers: headers).status == 200)
    }
    let refused: [[String: String]] = [
      ["Origin": "http://evil.example"], ["Origin": "null"], ["Origin": own + "0"],
      ["Origin": "http://localhost:\(server.port)"], ["Sec-Fetch-Site": "cross-site"],
      ["Sec-Fetch-Site": "same-site"], ["Origin": own, "Sec-Fetch-Site": "cross-site"],
    ]
    for headers in refused {
      #expect(try PageClient(server).get("/events", headers: headers).status == 403)
    }
    // A link in a chat leads to the page.
    #expect(
      try PageClient(server).get("/", headers: ["Sec-Fetch-Site": "cross-site"]).status == 200)
  }
}

/// Invalid options.
@Suite(.ownThread) struct StartTests {
  @Test func aUsedPortIsReported() throws {
    let server = try startServer()
    let error = #expect(throws: HTTPServerError.self) {
      _ = try startServer { $0.port = server.port }
    }
    #expect(error == .cannotListen("127.0.0.1:\(server.port)", .addressInUse))
    #expect(
      "\(error.map { "\($0)" } ?? "")"
        == "cannot listen on 127.0.0.1:\(server.port): Address already in use")
    #expect(error?.hint == "pass another port; port 0 selects a free port")
  }

  @Test func anAddressOfAnotherMachineIsReported() {
    let error = #expect(throws: HTTPServerError.self) {
      _ = try startServer {
        $0.host = "192.0.2.1"
        $0.key = "k"
      }
    }
    #expect(error?.description == "cannot listen on 192.0.2.1:0: Cannot assign requested address")
  }

  @Test func otherMachinesNeedAKey() {
    #expect(throws: HTTPServerError.keyMissing("0.0.0.0:0")) {
      _ = try startServer { $0.host = "0.0.0.0" }
    }
    #expect(throws: HTTPServerError.keyMissing("[::]:0")) { _ = try startServer { $0.host = "::" } }
  }

  @Test func invalidOptionsAreReported() {
    #expect(throws: HTTPServerError.invalidAddress("localhost")) {
      _ = try startServer { $0.host = "localhost" }
    }
    #expect(throws: HTTPServerError.invalidKey) { _ = try startServer { $0.key = "a/b" } }
    #expect(throws: HTTPServerError.invalidKey) { _ = try startServer { $0.key = "" } }
    let source = "https://tile.example; script-src *"
    #expect(throws: HTTPServerError.invalidImageSource(source)) {
      _ = try startServer { $0.imageSources = [source] }
    }
  }

  @Test func ipv6HasBracketsInTheURL() throws {
    // Not every machine has IPv6.
    guard let server = try? startServer({ $0.host = "::1" }) else { return }
    #expect(server.url == "http://[::1]:\(server.port)/")
  }
}
