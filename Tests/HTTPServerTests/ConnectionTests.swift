import TestSupport
import Testing

@testable import HTTPServer

/// Clients that misbehave.
@Suite(.ownThread) struct ConnectionTests {
  @Test(arguments: [
    ("not HTTP", "GARBAGE\r\n\r\n", 400),
    ("an unknown version", "GET / HTTP/3.0\r\n\r\n", 400),
    ("a header without a colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
    ("a negative length", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    ("a body", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 413),
    ("a huge body", "POST / HTTP/1.1\r\nContent-Length: 9223372036854775807\r\n\r\n", 413),
    ("a chunked body", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", 413),
    ("a tunnel", "CONNECT evil.example:443 HTTP/1.1\r\n\r\n", 421),
    ("an unknown expectation", "GET / HTTP/1.1\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n", 417),
    ("no host", "GET / HTTP/1.1\r\n\r\n", 421),
    ("two origins", "GET / HTTP/1.1\r\nOrigin: null\r\nOrigin: http://evil.example\r\n\r\n", 400),
    ("two hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n", 400),
  ])
  func aBadRequestIsRefused(kind: String, request: String, status: Int) throws {
    let server = try startServer()
    let client = try PageClient(server)
    client.socket.write(Array(request.utf8))
    #expect(try client.response(hasBody: false).status == status)
    #expect(try PageClient(server).get("/").status == 200)
  }

  @Test func tooManyHeadersAreRefused() throws {
    let server = try startServer()
    let long = String(repeating: "x", count: 17 << 10)
    for request in ["GET /\(long)", "GET / HTTP/1.1\r\nCookie: \(long)"] {
      let client = try PageClient(server)
      client.socket.write(Array(request.utf8))
      #expect(try client.response(hasBody: false).status == 400)
    }
  }

  @Test func randomBytesDoNotStopTheServer() throws {
    let server = try startServer()
    var random = SplitMix(state: 16)
    let parts = [
      "GET ", "/", " HTTP/1.1", "\r\n", "Host: 127.0.0.1:\(server.port)", "\r\n\r\n", "events",
      "HEAD ", "\0", ":", " ", "Expect: 100-continue", "Content-Length: 0", "%", "[", "http://",
      "Connection: keep-alive", "Transfer-Encoding: chunked", "0\r\n\r\n", "\u{ff}", "HTTP/1.0",
    ]
    for _ in 0..<400 {
      let client = try PageClient(server)
      let count = Int.random(in: 1...12, using: &random)
      for _ in 0..<count {
        client.socket.write(Array(parts[Int.random(in: 0..<parts.count, using: &random)].utf8))
      }
      client.socket.finishWriting()
      _ = try client.socket.readToEnd()
    }
    #expect(try PageClient(server).get("/").status == 200)
    #expect(server.connectedPages == 0)
  }

  @Test func requestsInOneWriteAreAnsweredInOrder() throws {
    let server = try startServer()
    let client = try PageClient(server)
    for _ in 0..<20 { client.send("/page.js") }
    client.send("/")
    for _ in 0..<20 { #expect(try client.response().text == "run()") }
    #expect(try client.response().text == "<!doctype html>")
  }

  @Test func aRequestDuringAStreamIsIgnored() throws {
    let server = try startServer()
    let client = try PageClient(server)
    try client.openEvents()
    #expect(try client.nextTrips() == "[]")
    client.send("/")
    server.publish("a", frame("1"))
    #expect(try client.nextTrips() == #"[{"name":"a","frame":1}]"#)
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: ", "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n"])
  func aConnectionWithoutACompleteRequestIsClosed(start: String) throws {
    let server = try startServer {
      $0.limits.requestTimeout = .milliseconds(50)
      $0.limits.checkInterval = .milliseconds(10)
    }
    let client = try PageClient(server)
    let request = start.split(separator: "HOST").joined(separator: "127.0.0.1:\(server.port)")
    client.socket.write(Array(request.utf8))
    // The third is idle after its response.
    #expect(try client.socket.readToEnd().isEmpty == !start.contains("HOST"))
  }

  @Test func idleConnectionsDoNotBlockNewOnes() throws {
    let server = try startServer {
      $0.limits.otherConnections = 4
      $0.limits.crowdedRequestTimeout = .milliseconds(50)
      $0.limits.checkInterval = .milliseconds(10)
    }
    let silent = try (0..<8).map { _ in try PageClient(server) }
    #expect(try PageClient(server).get("/").status == 200)
    #expect(try silent[0].socket.readToEnd().isEmpty)
  }

  @Test func theNumberOfPagesIsLimited() throws {
    let server = try startServer { $0.limits.pages = 2 }
    let pages = try (0..<2).map { _ in try PageClient(server) }
    for page in pages { try page.openEvents() }
    #expect(try PageClient(server).openEvents().status == 503)
    #expect(try PageClient(server).get("/").status == 200)
  }

  @Test func aPageThatReadsNothingIsClosed() async throws {
    let (counts, report) = AsyncStream<Int>.makeStream()
    let server = try startServer {
      $0.limits.writeTimeout = .milliseconds(100)
      $0.onPagesChange = { report.yield($0) }
    }
    let client = try PageClient(server)
    try client.openEvents()
    server.publish("a", [UInt8](repeating: UInt8(ascii: "1"), count: 8 << 20))
    #expect(await counts.first { $0 == 0 } == 0)
    #expect(try PageClient(server).get("/").status == 200)
  }

  @Test func stopClosesConnectionsAndThePort() throws {
    let server = try startServer()
    let port = server.port
    let (idle, page, stuck) = try (PageClient(server), PageClient(server), PageClient(server))
    try idle.get("/")
    try page.openEvents()
    #expect(try page.nextTrips() == "[]")
    try stuck.openEvents()
    server.publish("a", [UInt8](repeating: UInt8(ascii: "1"), count: 8 << 20))
    server.stop()
    server.stop()
    #expect(server.connectedPages == 0)
    #expect(try idle.socket.readToEnd().isEmpty)
    _ = try page.socket.readToEnd()
    #expect(throws: RawClient.Refused.self) { _ = try PageClient(server) }
    let next = try startServer { $0.port = port }
    #expect(try PageClient(next).get("/").status == 200)
    server.publish("a", frame("1"))
  }

  @Test func aServerThatIsDroppedStops() throws {
    var server: HTTPServer? = try startServer()
    let client = try server.map { try PageClient($0) }
    server = nil
    #expect(try client?.socket.readToEnd().isEmpty == true)
  }
}
