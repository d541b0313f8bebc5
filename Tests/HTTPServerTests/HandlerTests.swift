import TestSupport
import Testing
import WireSystem

@testable import HTTPServer

/// A server of an API.
@Suite(.ownThread) struct HandlerTests {
  private static let bodyLimit = 100 << 10

  /// Starts a server that returns the requests.
  private func start(_ change: (inout HTTPServerOptions) -> Void = { _ in }) throws -> HTTPServer {
    var options = HTTPServerOptions(
      api: .api(
        bodyLimit: Self.bodyLimit, headers: ["x-a"],
        refuse: { HTTPResponse($0 == .tooLarge ? 400 : 503, body: Array("refused".utf8)) },
        respond: { request in
          let text =
            "\(request.method) \(request.path)?\(request.query) \(request.headers["x-a"] ?? "-")"
            + " \(request.body.count)"
          let size = Int(request.query) ?? 0
          var response = HTTPResponse(
            request.path == "/none" ? 204 : 201, headers: [("X-B", "b")],
            body: size > 0 ? [UInt8](repeating: 0x78, count: size) : Array(text.utf8))
          response.delivery =
            switch request.path {
            case "/late": .after(.milliseconds(30))
            case "/never": .never
            case "/cut": .disconnect
            default: .atOnce
            }
          return response
        }))
    options.limits.requestTimeout = .seconds(600)
    options.limits.writeTimeout = .seconds(600)
    change(&options)
    return try HTTPServer(options)
  }

  private func post(
    _ client: PageClient, _ count: Int, _ headers: [String: String] = [:]
  ) throws -> PageClient.Response {
    client.send(
      "/b", method: "POST", headers: headers, body: [UInt8](repeating: 0x20, count: count))
    return try client.response()
  }

  @Test func requestsReachTheHandler() throws {
    let server = try start()
    let client = try PageClient(server)
    let response = try client.get("/a%20b?c=%64", headers: ["X-A": "v"])
    #expect(response.status == 201)
    #expect(response.text == "GET /a%20b?c=%64 v 0")
    #expect(response.headers["X-B"] == "b")
    #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    for method in ["PUT", "PATCH", "DELETE", "OPTIONS", "POST"] {
      #expect(try client.get("/", method: method).text == "\(method) /? - 0")
    }
    #expect(try client.get("/events").text == "GET /events? - 0")
    #expect(try client.get("/", method: "HEAD").headers["Content-Length"] == "11")
    #expect(try client.get("/none", method: "HEAD").status == 204)
    #expect(try post(client, 70_000).text == "POST /b? - 70000")
  }

  @Test func anySiteMayCall() throws {
    let server = try start()
    let headers = [
      "Host": "rebound.example", "Origin": "https://x.example", "Sec-Fetch-Site": "cross-site",
    ]
    #expect(try PageClient(server).get("/", headers: headers).status == 201)
    #expect(try PageClient(server).get("http://other.example/x").text == "GET /x? - 0")
  }

  @Test func largeBodiesAreRefusedWithTheHandlersResponse() throws {
    let server = try start()
    let client = try PageClient(server)
    #expect(try post(client, Self.bodyLimit).status == 201)
    // It is complete before it is refused.
    #expect(try post(client, Self.bodyLimit + 1).status == 400)
    #expect(try client.get("/").status == 201)
    for count in [Self.bodyLimit + (20 << 10), 8 << 20] {
      let client = try PageClient(server)
      let response = try post(client, count)
      #expect(response.status == 400)
      #expect(response.text == "refused")
      #expect(response.headers["Connection"] == "close")
      #expect(try client.socket.readToEnd().isEmpty)
    }
    #expect(try PageClient(server).get("/").status == 201)
  }

  @Test func largeChunkedBodiesAreRefused() throws {
    let server = try start()
    let client = try PageClient(server)
    client.socket.write(
      Array("POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
    let chunk = Array("400\r\n".utf8) + [UInt8](repeating: 0x20, count: 1024) + Array("\r\n".utf8)
    for _ in 0..<130 { client.socket.write(chunk) }
    let response = try client.response()
    #expect(response.status == 400)
    #expect(response.text == "refused")
  }

  /// Sends a request with the first bytes of a body of 100,000.
  private func unfinishedRequest(_ server: HTTPServer, _ count: Int) throws -> PageClient {
    let client = try PageClient(server)
    let head = Array("POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n".utf8)
    client.socket.write(head + [UInt8](repeating: 0x20, count: count))
    return client
  }

  @Test func unfinishedBodiesDoNotBlockOthers() throws {
    let server = try start { $0.limits.handlerBytes = 150_000 }
    let unfinished = try unfinishedRequest(server, 90_000)
    // Until all of it has arrived, there is room for this response.
    let client = try PageClient(server)
    while try client.get("/?60000").status != 503 {}
    #expect(try client.get("/").status == 201)
    let refused = try unfinishedRequest(server, 90_000)
    #expect(try refused.response().status == 503)
    #expect(try client.get("/").status == 201)
    unfinished.socket.write([UInt8](repeating: 0x20, count: 10_000))
    #expect(try unfinished.response().text == "POST /? - 100000")
  }

  @Test func smallResponsesNeedNoRoom() throws {
    let server = try start { $0.limits.handlerBytes = 100_000 }
    let unfinished = try unfinishedRequest(server, 99_000)
    defer { withExtendedLifetime(unfinished) {} }
    let client = try PageClient(server)
    while try client.get("/?40000").status != 503 {}
    #expect(try client.get("/?2000").status == 201)
  }

  @Test func unreadResponsesAreLimited() throws {
    let server = try start { $0.limits.handlerBytes = 9 << 20 }
    let silent = try PageClient(server)
    silent.send("/?8388608")
    let client = try PageClient(server)
    // The kernel takes a small part of the first response.
    while try client.get("/?2097152").status != 503 {}
    #expect(try client.get("/").status == 201)
    #expect(try silent.response().body.count == 8 << 20)
    while try client.get("/?2097152").status != 201 {}
  }

  @Test func anUnfinishedRequestIsClosed() throws {
    let server = try start {
      $0.limits.requestTimeout = .milliseconds(50)
      $0.limits.checkInterval = .milliseconds(10)
    }
    let client = try PageClient(server)
    client.socket.write(Array("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n1".utf8))
    #expect(try client.socket.readToEnd().isEmpty)
    // Also one that was refused, whose client neither reads nor ends.
    let refused = try PageClient(server)
    refused.send("/", method: "POST", body: [UInt8](repeating: 0x20, count: 8 << 20))
    _ = try refused.socket.readToEnd()
  }

  @Test func lateResponsesDoNotBlockOthers() throws {
    let server = try start()
    let late = try PageClient(server)
    let start = ContinuousClock.now
    late.send("/late")
    let client = try PageClient(server)
    #expect(try client.get("/").text == "GET /? - 0")
    #expect(try late.response().text == "GET /late? - 0")
    #expect(ContinuousClock.now - start >= .milliseconds(30))
    #expect(try late.get("/late", method: "HEAD").status == 201)
    #expect(try late.get("/").status == 201)
  }

  @Test func aConnectionIsClosedWithoutAResponse() throws {
    let server = try start()
    let client = try PageClient(server)
    client.send("/cut")
    #expect(try client.socket.readToEnd().isEmpty)
    #expect(try PageClient(server).get("/").status == 201)
  }

  /// The limit of connections shows when the server has noticed that a client has gone.
  @Test func clientsLeaveWithoutAResponse() throws {
    let server = try start { $0.limits.otherConnections = 1 }
    for path in ["/never", "/late", "/never", "/late"] {
      let client = try PageClient(server)
      client.send(path)
    }
    #expect(try PageClient(server).get("/").status == 201)
    // The server stops with a request that has no response.
    let client = try PageClient(server)
    client.send("/never")
    server.stop()
    #expect(try client.socket.readToEnd().isEmpty)
  }

  @Test func otherMachinesNeedNoKey() throws {
    let server = try start { $0.host = "0.0.0.0" }
    #expect(server.url == "http://localhost:\(server.port)/")
    #expect(try PageClient(server).get("/").status == 201)
  }
}
