import TestSupport
import Testing
import Tripwire
import WireGRPC

@testable import TripwireHTTPTokens

@Suite struct HTTPTokenTests {
  private let trip = AuthorizationContext(resourceName: "providers/p/trips/t1", tripID: "t1")

  /// Returns the token from an endpoint with this response.
  private func token(
    _ response: String?, path: String = "/token/{tripID}", name: String = "token",
    expiry: TokenExpiry = .unstated, timeout: Duration = .seconds(3600)
  ) async throws -> AuthToken {
    let server = try ScriptedHTTPServer { _ in response }
    defer { server.stop() }
    let provider = try HTTPToken(
      url: "http://127.0.0.1:\(server.port)\(path)?key=hush", token: name, expiry: expiry,
      timeout: timeout)
    return try await provider.token(for: trip)
  }

  @Test func parsesTheResponse() async throws {
    let body = #"{"jwt": "abc", "expirationTimestamp": 1795257000000}"#
    let token = try await token(
      ScriptedHTTPServer.response("200 OK", body), name: "jwt",
      expiry: .millisecondsSince1970("expirationTimestamp"))
    #expect(token.value == "abc")
    #expect(token.expiration == 1_795_257_000)
  }

  @Test func requestHasTheTripAndTheHeaders() async throws {
    let server = try ScriptedHTTPServer { _ in
      ScriptedHTTPServer.response("200 OK", #"{"token": "abc"}"#)
    }
    defer { server.stop() }
    let provider = try HTTPToken(
      url: "http://localhost:\(server.port)/{tripID}?of={resourceName}",
      headers: { ["authorization": "Bearer session"] })
    let context = AuthorizationContext(
      resourceName: "providers/p/trips/a b", tripID: "ä/b?c=d&e%#+")
    _ = try await provider.token(for: context)
    let head = try #require(server.requests.first)
    #expect(
      head.hasPrefix("GET /%C3%A4%2Fb%3Fc%3Dd%26e%25%23%2B?of=providers%2Fp%2Ftrips%2Fa%20b "),
      "\(head)")
    #expect(head.lowercased().contains("\r\nauthorization: bearer session\r\n"))
    #expect(head.lowercased().contains("\r\naccept: application/json\r\n"))
  }

  @Test(arguments: [
    ("401 Unauthorized", StatusCode.unauthenticated), ("403 Forbidden", .permissionDenied),
    ("408 Request Timeout", .unavailable), ("429 Too Many Requests", .unavailable),
    ("500 Internal Server Error", .unavailable), ("503 Service Unavailable", .unavailable),
  ])
  func httpStatusMapsToAStatusCode(status: String, code: StatusCode) async {
    let error = await #expect(throws: CallError.self) {
      try await token(ScriptedHTTPServer.response(status, #"{"token": "hush"}"#))
    }
    #expect(error?.code == code)
    #expect(error?.message.contains("answered with status \(status.prefix(3))") == true)
    #expect(error?.message.contains("/token/{tripID}") == true)
    #expect(error?.description.contains("hush") == false)
  }

  @Test(arguments: ["404 Not Found", "400 Bad Request", "304 Not Modified"])
  func otherStatusesAreErrors(status: String) async {
    let error = await #expect(throws: HTTPTokenError.self) {
      try await token(ScriptedHTTPServer.response(status, "hush"))
    }
    #expect(error?.description.contains("answered with status \(status.prefix(3))") == true)
    #expect(error?.description.contains("hush") == false)
  }

  @Test func redirectsAreNotFollowed() async throws {
    let other = try ScriptedHTTPServer { _ in
      ScriptedHTTPServer.response("200 OK", #"{"token": "abc"}"#)
    }
    defer { other.stop() }
    let error = await #expect(throws: HTTPTokenError.self) {
      try await token(
        ScriptedHTTPServer.response(
          "302 Found", headers: "location: http://127.0.0.1:\(other.port)/\r\n"))
    }
    #expect(error?.description.contains("answered with status 302") == true)
    #expect(other.requests.isEmpty)
  }

  @Test(arguments: ["", "hush", "[\"hush\"]", #"{"other": "hush"}"#, #"{"token": "hush hush"}"#])
  func responseWithoutATokenIsRejectedWithoutBeingPrinted(body: String) async {
    let error = await #expect(throws: TokenError.self) {
      try await token(ScriptedHTTPServer.response("200 OK", body))
    }
    #expect(error?.description.contains("hush") == false)
  }

  @Test func responseSizeIsLimited() async {
    let body = "{\"token\": \"" + String(repeating: "x", count: 200_000) + "\"}"
    let error = await #expect(throws: HTTPTokenError.self) {
      try await token(ScriptedHTTPServer.response("200 OK", body))
    }
    #expect(error?.description.contains("more than 128 KiB") == true)
  }

  @Test func slowEndpointTimesOut() async {
    let start = ContinuousClock.now
    let error = await #expect(throws: CallError.self) {
      try await token(nil, timeout: .milliseconds(300))
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("in time") == true)
    #expect(ContinuousClock.now - start >= .milliseconds(300))
  }

  @Test func canceledCallCancelsTheRequest() async throws {
    let server = try ScriptedHTTPServer { _ in nil }
    defer { server.stop() }
    let provider = try HTTPToken(
      url: "http://127.0.0.1:\(server.port)/", timeout: .seconds(3600))
    let waiting = Task { try await provider.token(for: trip) }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func refusedConnectionIsUnavailable() async throws {
    let provider = try HTTPToken(url: "http://127.0.0.1:1/?key=hush")
    let error = await #expect(throws: CallError.self) { try await provider.token(for: trip) }
    #expect(error?.code == .unavailable)
    #expect(error?.description.contains("hush") == false)
  }

  @Test(arguments: [
    ("http://backend.example/{tripID}", "uses http://, which exposes the token"),
    ("http://127.0.0.1.example/", "uses http://, which exposes the token"),
    ("ftp://backend.example/", "does not begin with https://"), ("", "has no host"),
    ("https:///x", "has no host"), ("{tripID}", "has no host"),
    ("https://{tripID}.example/", "has no host"),
    ("https://example.{tripID}/", "has a placeholder in its host"),
    ("https://user:hush@backend.example/", "contains a user name or a password"),
    ("https://backend.example/{tripId}", "unknown placeholder {tripId}"),
    ("https://backend.example/{tripID", "has a { without a }"),
  ])
  func invalidURLsAreRejected(url: String, words: String) {
    let error = #expect(throws: HTTPTokenError.self) { try HTTPToken(url: url) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    #expect(error?.description.contains("hush") == false)
  }

  @Test func urlMayHaveAQueryWithoutAPath() throws {
    _ = try HTTPToken(url: "https://backend.example?trip={tripID}")
  }

  @Test(arguments: [nil, "", ".", ".."])
  func idsThatChangeThePathAreRejected(id: String?) async throws {
    let provider = try HTTPToken(url: "https://backend.example/{tripID}")
    let context = AuthorizationContext(resourceName: "providers/p/vehicles/v", tripID: id)
    await #expect(throws: HTTPTokenError.self) { try await provider.token(for: context) }
  }

  @Test func tokenForAllIsShared() throws {
    let other = AuthorizationContext(resourceName: "providers/p/trips/t2", tripID: "t2")
    let all = try HTTPToken(url: "https://backend.example/token")
    #expect(all.sharedContext(for: trip) == all.sharedContext(for: other))
    let each = try HTTPToken(url: "https://backend.example/token/{tripID}")
    #expect(each.sharedContext(for: trip) != each.sharedContext(for: other))
  }

  @Test func credentialsInTheURLAreNotPrinted() throws {
    let provider = try HTTPToken(url: "https://backend.example/{tripID}?key=hush")
    var dumped = ""
    dump(provider, to: &dumped)
    for text in ["\(provider)", String(reflecting: provider), dumped] {
      #expect(!text.contains("hush"), "\(text)")
    }
  }
}
