import TestSupport

@testable import WireGRPC
@testable import WireHTTP2

extension CallRule {
  private static let page = CallInput.headers(
    fields([":status": "200", "content-type": "text/html"]))

  /// Invalid responses: not gRPC, incomplete, or with the wrong number of messages.
  static let responses: [CallRule] = [
    // The end of the stream
    CallRule(
      "END_STREAM on DATA", [good, .data([0, 0, 0, 0, 2, 7, 8], endStream: true)], .internal,
      "without trailers"),
    CallRule("closed without a response", [.closed(.finished)], .internal, "without a response"),
    CallRule("closed after headers", [good, .closed(.finished)], .internal, "without trailers"),
    CallRule(
      "trailers in the middle of a message", [good, .data([0, 0, 0, 0, 9, 1]), ok], .internal,
      "in the middle"),

    // Cardinality
    CallRule("OK without a message", [good, ok], .unimplemented, "without a message"),
    CallRule(
      "two messages", [good, message, message], .unimplemented, "more than one", reset: .cancel),
    CallRule(
      "two messages in one",
      [good, .data([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], endStream: true)], .unimplemented,
      "more than one"),

    // HTTP
    CallRule(
      "HTTP 503", [.headers(fields([":status": "503"]), endStream: true)], .unavailable,
      "HTTP status 503"),
    CallRule(
      "HTTP 401 of a gRPC server",
      [
        .headers(
          fields([":status": "401", "content-type": "application/grpc"]), endStream: true)
      ], .unauthenticated, "HTTP status 401 and no grpc-status"),
    CallRule(
      "HTTP 403 with a page",
      [
        .headers(fields([":status": "403", "content-type": "text/html"])),
        .data(Array("<h1>No\n".utf8)), .data(Array("entry".utf8), endStream: true),
      ], .permissionDenied,
      "HTTP status 403 and is not gRPC (content-type \"text/html\"); its body begins with"
        + " \"<h1>No entry\""),
    CallRule(
      "a long page is cut off",
      [
        .headers(fields([":status": "500"])), .data([UInt8](repeating: 0x61, count: 200)),
        .data([UInt8](repeating: 0x61, count: 200)),
      ], .unknown, String(repeating: "a", count: 256) + "\"", reset: .cancel),
    CallRule(
      "a page that is reset",
      [
        .headers(fields([":status": "502"])), .data(Array("bad".utf8)),
        .closed(.resetByPeer(.internalError)),
      ], .unavailable, "\"bad\""),
    CallRule(
      "a short page whose stream stays open", [page, .data(Array("<h1>".utf8)), .expire], .unknown,
      "content-type \"text/html\", not application/grpc; its body begins with \"<h1>\"",
      reset: .cancel),
    CallRule(
      "a page without a body whose stream stays open", [page, .time(11), .cancel], .unknown,
      "text/html", reset: .cancel),
    CallRule(
      "a page that is reset with CANCEL after the deadline",
      [page, .time(11), .closed(.resetByPeer(.cancel))], .unknown, "text/html"),
    CallRule("a page of a lost connection", [page, .lost], .unknown, "text/html"),
    CallRule(
      "grpc-status wins over HTTP status, trailers only",
      [.headers(fields([":status": "503", "grpc-status": "5"]), endStream: true)], .notFound,
      origin: .server),
    CallRule(
      "grpc-status wins over HTTP status, in trailers",
      [
        .headers(fields([":status": "503", "content-type": "application/grpc"])),
        .trailers(fields(["grpc-status": "5"])),
      ], .notFound, origin: .server),
    CallRule(
      "grpc-status wins over an HTML page",
      [
        .headers(fields([":status": "503", "content-type": "text/html"])),
        .trailers(fields(["grpc-status": "16"])),
      ], .unauthenticated, origin: .server),
    CallRule(
      "HTTP status in gRPC's form without grpc-status",
      [
        .headers(fields([":status": "429", "content-type": "application/grpc"])),
        .trailers(fields(["x": "y"])),
      ], .unavailable, "HTTP status 429"),
    CallRule(
      "HTTP status in gRPC's form without trailers",
      [
        .headers(fields([":status": "401", "content-type": "application/grpc"])),
        .data([], endStream: true),
      ], .unauthenticated, "HTTP status 401"),
    CallRule("no status at all", [.headers([], endStream: true)], .unknown, "HTTP status 0"),

    // Content-type
    CallRule(
      "another content-type",
      [
        .headers(fields([":status": "200", "content-type": "application/json"])),
        .data(Array("{}".utf8), endStream: true),
      ], .unknown,
      "content-type \"application/json\", not application/grpc; its body begins with \"{}\""),
    CallRule(
      "no content-type", [.headers(fields([":status": "200"])), .data([], endStream: true)],
      .unknown, "no content-type"),
    CallRule(
      "a similar content-type",
      [
        .headers(fields([":status": "200", "content-type": "application/grpc-web"])),
        .data([], endStream: true),
      ], .internal, "application/grpc-web"),
    CallRule(
      "OK does not override a wrong content-type",
      [.headers(fields([":status": "200", "content-type": "text/plain"])), ok], .unknown,
      "text/plain"),
  ]
}
