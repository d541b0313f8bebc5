import TestSupport
import Testing

@testable import HTTPServer

@Suite(.ownThread) struct FileTests {
  @Test func servesEachFileWithItsType() throws {
    let server = try startServer()
    let client = try PageClient(server)
    let page = try client.get("/")
    #expect(page.status == 200)
    #expect(page.text == "<!doctype html>")
    #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
    let script = try client.get("/page.js?t=1")
    #expect(script.text == "run()")
    #expect(script.headers["Content-Type"] == "text/javascript")
  }

  @Test func everyResponseHasTheSecurityHeaders() throws {
    let server = try startServer { $0.imageSources = ["https://*.tile.example"] }
    for path in ["/", "/nothing", "/events"] {
      let headers = try PageClient(server).get(path).headers
      #expect(
        headers["Content-Security-Policy"]
          == "default-src 'none'; script-src 'self'; style-src 'self'; "
          + "img-src 'self' data: https://*.tile.example; connect-src 'self'; base-uri 'none'; "
          + "form-action 'none'; frame-ancestors 'none'")
      #expect(headers["X-Content-Type-Options"] == "nosniff")
      #expect(headers["Referrer-Policy"] == "no-referrer")
      #expect(headers["Cache-Control"] == "no-store")
      #expect(headers["Cross-Origin-Resource-Policy"] == "same-origin")
    }
  }

  @Test func headHasTheLengthButNoBody() throws {
    let server = try startServer()
    let client = try PageClient(server)
    #expect(try client.get("/", method: "HEAD").headers["Content-Length"] == "15")
    #expect(try client.get("/events", method: "HEAD").status == 200)
    #expect(try client.get("/page.js").text == "run()")
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW", "get"])
  func otherMethodsAreNotAllowed(method: String) throws {
    let server = try startServer()
    for path in ["/", "/events"] {
      let response = try PageClient(server).get(path, method: method)
      #expect(response.status == 405)
      #expect(response.headers["Allow"] == "GET, HEAD")
    }
  }

  @Test(arguments: ["/nothing", "/page.js/", "/%70age.js", "/../page.js", "/events/"])
  func otherPathsAreNotFound(path: String) throws {
    let server = try startServer()
    #expect(try PageClient(server).get(path).status == 404)
  }

  @Test func servesALargeFileToASlowReader() throws {
    let bytes = (0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 / 4096) }
    let server = try startServer {
      $0.files.append(ServedFile(path: "big", contentType: "image/png", bytes: bytes))
    }
    let client = try PageClient(server)
    client.send("/big")
    #expect(try PageClient(server).get("/").status == 200)
    #expect(try client.response().body == bytes)
  }
}
