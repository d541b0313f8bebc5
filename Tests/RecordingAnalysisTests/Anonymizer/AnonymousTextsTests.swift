import Testing

@testable import RecordingAnalysis

@Suite struct AnonymousTextsTests {
  @Test(arguments: [
    ("Trip not found: providers/p/trips/x.", "Trip not found: providers/provider-1/trips/trip-1."),
    (
      "Quota exceeded for quota metric 'GetTrip requests'.",
      "Quota exceeded for quota metric 'GetTrip requests'."
    ),
    ("DEADLINE_EXCEEDED after 15s", "DEADLINE_EXCEEDED after *"),
    ("Alice's van (K-AB 123) at 48.1,11.5 is not found", "* at * is not found"),
    (
      "connect to fleetengine.googleapis.com failed!",
      "connect to fleetengine.googleapis.com failed!"
    ),
    ("known \"x\" and x", "* \"trip-1\" and trip-1"), ("", ""), ("...", "..."),
    ("TRIP_alice", "*"), ("not\u{301} found", "* found"), ("-_-", "*"), ("trip_", "trip_"),
    ("to\u{212A}en", "*"), ("TO\u{212A}EN_EXPIRED", "TO\u{212A}EN_EXPIRED"),
    // These are also names of people.
    ("driver Will Short at Long Field is denied", "* at * is denied"), ("Will", "*"),
    ("status: 5023, byte 1234567", "status: * byte *"), ("code 502", "code *"),
    ("WILL_SHORT or will_short", "* or *"), ("Not Found", "Not *"), ("NOT found", "* found"),
    ("Denied. Please retry? Yes, Please", "Denied. Please retry? *"),
    ("Dr. Error", "*"), ("ERROR_CODE, Error_Code", "ERROR_CODE, *"),
    ("an ID of Fleet Engine, an Id", "an ID of Fleet Engine, an *"),
  ])
  func onlyHarmlessWordsAreKept(text: String, kept: String) {
    var names = AnonymousNames()
    names.terms = ["GetTrip"]
    _ = names.replace(resource: "providers/p/trips/x", orID: .name)
    #expect(names.replace(text: text) == kept)
  }

  /// Messages of gRPC's libraries, Envoy and tripwire.
  @Test(arguments: [
    "context deadline exceeded", "error reading from server: EOF", "transport is closing",
    "connection error: desc = \"transport: Error while dialing: dial tcp * connect: connection refused\"",
    "read: connection reset by peer", "the connection is draining", "write: broken pipe",
    "stream terminated by RST_STREAM with error code: INTERNAL_ERROR", "no such host",
    "i/o timeout",
    "unexpected HTTP status code received from server: 502 (Bad Gateway); transport: received"
      + " unexpected content-type \"text/html\"",
    "keepalive ping failed to receive ACK within timeout",
    "server closed the stream without sending trailers",
    "all SubConns are in TransientFailure", "name resolver error: produced zero addresses",
    "Deadline Exceeded", "Received http2 header with status: 502", "Stream removed",
    "Socket closed",
    "Connection reset by peer", "Broken pipe",
    "failed to connect to all addresses; last error: UNKNOWN: * Failed to connect to remote host:"
      + " Connection refused",
    "GOAWAY received; Error code: * Debug Text: too_many_pings", "keepalive watchdog timeout",
    "Received RST_STREAM with error code *", "Exception calling application: *",
    "Method not found!",
    "io exception", "Channel shutdownNow invoked", "CallOptions deadline exceeded after *",
    "Network closed for unknown reason", "Encountered end-of-stream mid-frame",
    "upstream connect error or disconnect/reset before headers. reset reason: connection termination",
    "upstream connect error or disconnect/reset before headers. retried and the latest reset reason:"
      + " remote connection failure, transport failure reason: delayed connect error: *",
    "no healthy upstream", "upstream request timeout", "Jwt is missing", "RBAC: access denied",
    "the deadline passed before the server responded", "the call took longer than its grpc-timeout",
    "the server's message cannot be decoded: Trip.name at byte 3: truncated",
    "the server's message cannot be decoded: Trip.route[3].name at byte 1024: not UTF-8",
    "the server reset the stream with ENHANCE_YOUR_CALM",
    "the server closed the stream without trailers",
    "no connection to * connection refused",
    "the response has HTTP status 503 and is not gRPC",
    "the response has HTTP status 503 and no grpc-status",
    "the connection was lost: the server closed it",
    "the server's trailers have no grpc-status", "the peer's certificate is not trusted: *",
  ])
  func knownErrorMessagesAreKept(text: String) {
    var names = AnonymousNames()
    names.terms = ["UNKNOWN", "Trip", "name", "route"]
    #expect(names.replace(text: text) == text)
  }

  @Test func longTextsAreFast() {
    var names = AnonymousNames()
    #expect(names.replace(text: "e" + String(repeating: "\u{301}", count: 1 << 20)) == "*")
    #expect(names.replace(text: "e" + String(repeating: "\u{301}", count: 1 << 12)) == "*")
  }
}
