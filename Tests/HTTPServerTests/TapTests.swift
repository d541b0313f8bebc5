import TestSupport
import Testing
import WireSystem

@testable import HTTPServer

/// Which POST requests reach the program.
@Suite(.ownThread) final class TapTests: Sendable {
  private let taps = Locked<[String]>([])

  private func start(_ change: (inout HTTPServerOptions) -> Void = { _ in }) throws -> HTTPServer {
    try startServer {
      $0.handler = .taps { [weak self] json in
        self?.taps.withLock { $0.append(String(decoding: json, as: UTF8.self)) }
      }
      change(&$0)
    }
  }

  private var received: [String] { taps.withLock { $0 } }

  @Test func aTapOfThePageIsReceived() throws {
    let server = try start()
    let client = try PageClient(server)
    let response = try client.tap("{}")
    #expect(response.status == 204)
    #expect(response.headers["Content-Security-Policy"] != nil)
    let fetched = try client.tap("{\"a\":1}", headers: ["Sec-Fetch-Site": "same-origin"])
    #expect(fetched.status == 204)
    // Answered by the same thread, after the taps.
    #expect(try client.get("/").status == 200)
    #expect(received == ["{}", "{\"a\":1}"])
  }

  @Test func tapsOfOtherSitesAreRefused() throws {
    let server = try start()
    let port = server.port
    let refused: [[String: String]] = [
      ["Origin": ""], ["Origin": "null"], ["Origin": "http://evil.example"],
      ["Origin": "http://localhost:\(port)"], ["Origin": "https://127.0.0.1:\(port)"],
      ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
    ]
    for headers in refused {
      #expect(try PageClient(server).tap("{}", headers: headers).status == 403, "\(headers)")
    }
    for type in ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
      let headers = ["Content-Type": type]
      #expect(try PageClient(server).tap("{}", headers: headers).status == 415, "\(type)")
    }
    let rebound = ["Host": "evil.example:\(port)", "Origin": "http://evil.example:\(port)"]
    #expect(try PageClient(server).tap("{}", headers: rebound).status == 421)
    #expect(received.isEmpty)
  }

  @Test func aTapNeedsTheKey() throws {
    let server = try start { $0.key = "k1" }
    for path in ["/tap", "/k2/tap", "/k/tap"] {
      #expect(try PageClient(server).tap("{}", path: path).status == 404)
    }
    #expect(received.isEmpty)
    #expect(try PageClient(server).tap("{}", path: "/k1/tap").status == 204)
    #expect(received == ["{}"])
  }

  @Test func aLargeTapIsRefused() throws {
    let server = try start { $0.handler?.bodyLimit = 100 }
    let largest = String(repeating: "1", count: 100)
    #expect(try PageClient(server).tap(largest).status == 204)
    let client = try PageClient(server)
    #expect(try [400, 413].contains(client.tap(largest + "1").status))
    #expect(received == [largest])
  }

  @Test func withoutAHandlerTapsAreRefused() throws {
    let server = try startServer()
    #expect(try PageClient(server).tap("").status == 404)
    #expect(try PageClient(server).tap("", path: "/").status == 405)
  }

  @Test func otherMethodsDoNotSendTaps() throws {
    let server = try start()
    for method in ["GET", "HEAD", "PUT", "OPTIONS"] {
      #expect(try PageClient(server).get("/tap", method: method).status == 404)
    }
    #expect(received.isEmpty)
  }
}
