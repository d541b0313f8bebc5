import TestSupport
import Testing
import WireGRPC
import WireGRPCServer
import WireIO
import WireSystem
import WireTLS

@testable import TripwireGoogleAuth

@Suite(.timeLimit(.minutes(20))) struct HTTPClientTests {
  private func response(
    _ text: String?, timeout: Duration = .seconds(3600)
  ) async throws -> HTTPResponse {
    let server = try ScriptedHTTPServer { _ in text }
    defer { server.stop() }
    var request = HTTPRequest("http://127.0.0.1:\(server.port)/")
    request.timeout = timeout
    return try await HTTPClient().send(request)
  }

  @Test(arguments: [
    Named("headers", "HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 200) + "\r\n"),
    Named("responses", String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 200)),
    Named("body", "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1 << 20)),
  ])
  func endlessResponsesEnd(text: Named<String>) async {
    await #expect(throws: HTTPFailure.tooLong) { try await response(text.value) }
  }

  @Test func missingResponseTimesOut() async {
    await #expect(throws: HTTPFailure.timedOut) {
      try await response(nil, timeout: .milliseconds(100))
    }
  }

  @Test func redirectsAreNotFollowed() async throws {
    let other = try ScriptedHTTPServer { _ in ScriptedHTTPServer.response("200 OK") }
    defer { other.stop() }
    let url = "http://127.0.0.1:\(other.port)/"
    let response = try await response(
      ScriptedHTTPServer.response("307 Temporary Redirect", headers: "location: \(url)\r\n"))
    #expect(response.status == 307 && response.header("location") == url)
    #expect(other.requests.isEmpty)
  }

  @Test func urlEndsAtNoNUL() async {
    await #expect(throws: HTTPFailure.invalidURL) {
      try await HTTPClient().send(HTTPRequest("http://127.0.0.1:1/\0x"))
    }
  }

  @Test func canceledRequestReturnsAtOnce() async throws {
    let server = try ScriptedHTTPServer { _ in nil }
    defer { server.stop() }
    let task = Task {
      var request = HTTPRequest("http://127.0.0.1:\(server.port)/")
      request.timeout = .seconds(3600)
      return try await HTTPClient().send(request)
    }
    while server.requests.isEmpty { await Task.yield() }
    task.cancel()
    #expect(await task.result.failure as? HTTPFailure == .canceled)
  }

  /// Programs that start while a request runs, such as gcloud, inherit no connection.
  @Test func socketsEndInOtherPrograms() async throws {
    let inherited = Locked<[Int32]>([])
    let port = Locked<UInt16?>(nil)
    let running = try ScriptedHTTPServer { _ in
      let port = port.withLock { $0 }
      inherited.withLock { $0 = (3..<1024).filter { Self.isInherited($0, port) } }
      return ScriptedHTTPServer.response("200 OK")
    }
    port.withLock { $0 = running.port }
    defer { running.stop() }
    _ = try await HTTPClient().send(HTTPRequest("http://127.0.0.1:\(running.port)/"))
    #expect(inherited.withLock { $0 } == [])
  }

  /// Whether a file is a connection to the port, and open in started programs.
  private static func isInherited(_ file: Int32, _ port: UInt16?) -> Bool {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getpeername(file, $0, &size) == 0
      }
    }
    return isConnected && UInt16(bigEndian: address.sin_port) == port
      && fcntl(file, F_GETFD) & FD_CLOEXEC == 0
  }

  // MARK: Trust

  /// Requests a page of a server for localhost, which has none.
  private func status(_ trust: TLSConfiguration.Trust) async throws -> Int {
    var configuration = ServerConfiguration()
    configuration.tls = try TLSContext(
      serverCertificate: TestCertificate.pem, privateKey: TestCertificate.key)
    let any = try #require(SocketAddress(numericHost: "127.0.0.1", port: 0))
    let listener = try Listener(on: any, backlog: 16)
    let port = try #require(listener.localAddress.port)
    let loop = try EventLoop.start(name: "test")
    defer { loop.stop() }
    let server = GRPCServer(NoMethods(), configuration, loop: loop)
    await server.start(listener)
    var client = HTTPClient()
    client.trust = trust
    let task = Task { [client] in
      try await client.send(HTTPRequest("https://localhost:\(port)/", form: [])).status
    }
    let result = await task.result
    await server.drain()
    return try result.get()
  }

  @Test func certificatesOfTheConfigurationAreTrusted() async throws {
    // The server speaks gRPC only.
    var statuses = [try await status(.pem(TestCertificate.pem))]
    statuses.append(try await withFile(TestCertificate.pem) { try await status(.file($0)) })
    #expect(statuses == [415, 415])
  }

  @Test(
    arguments: [
      (.system, .untrusted), (.pem(TestCertificate.other), .untrusted), (.pem([]), .noRoots),
      (.file("/no/file"), .noRoots),
    ] as [(TLSConfiguration.Trust, HTTPFailure)])
  func otherServersAreRefused(trust: TLSConfiguration.Trust, failure: HTTPFailure) async {
    await #expect(throws: failure) { try await status(trust) }
  }
}

private final class NoMethods: CallHandler {
  func route(_ head: RequestHead) throws(Refusal) -> CallRoute {
    throw Refusal(.unimplemented, "no methods")
  }

  func shutDown() {}
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
