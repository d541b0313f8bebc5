import TestSupport

@testable import HTTPServer

/// Files of a small page.
let pageFiles = [
  ServedFile(
    path: "", contentType: "text/html; charset=utf-8", bytes: Array("<!doctype html>".utf8)),
  ServedFile(path: "page.js", contentType: "text/javascript", bytes: Array("run()".utf8)),
]

func startServer(_ change: (inout HTTPServerOptions) -> Void = { _ in }) throws -> HTTPServer {
  var options = HTTPServerOptions(files: pageFiles)
  // A test may wait long for its turn.
  options.limits.keepalive = .seconds(600)
  options.limits.writeTimeout = .seconds(600)
  options.limits.requestTimeout = .seconds(600)
  change(&options)
  return try HTTPServer(options)
}

func frame(_ text: String) -> [UInt8] { Array(text.utf8) }

extension PageClient {
  convenience init(_ server: HTTPServer) throws { try self.init(port: server.port) }
}
