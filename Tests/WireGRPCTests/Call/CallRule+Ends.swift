import TestSupport

@testable import WireGRPC
@testable import WireHTTP2

extension CallRule {
  /// Unreadable messages, resets, and events of the client.
  static let ends: [CallRule] = [
    // Compression
    CallRule(
      "compressed, without grpc-encoding", [good, .data([1, 0, 0, 0, 0])], .internal,
      "grpc-encoding is missing or identity", reset: .cancel),
    CallRule(
      "compressed, grpc-encoding identity",
      [
        .headers(
          fields([
            ":status": "200", "content-type": "application/grpc", "grpc-encoding": "identity",
          ])), .data([1, 0, 0, 0, 0]),
      ], .internal, "grpc-encoding is missing or identity", reset: .cancel),
    CallRule(
      "compressed, grpc-encoding unknown",
      [
        .headers(
          fields([
            ":status": "200", "content-type": "application/grpc", "grpc-encoding": "snappy",
          ])), .data([1, 0, 0, 0, 0]),
      ], .internal, "\"snappy\"; this client offered identity,gzip,deflate", reset: .cancel),
    CallRule("a flag of 2", [good, .data([2])], .internal, "compression flag 2", reset: .cancel),

    // Limits
    CallRule(
      "a long message", [good, .data([0, 0, 0, 0, 101])], .resourceExhausted,
      "is 101 bytes; the limit is 100", reset: .cancel, origin: .local),

    // Resets. StatusCodeTests covers all codes.
    CallRule(
      "reset with NO_ERROR", [good, .closed(.resetByPeer(.noError))], .internal,
      "reset the stream with NO_ERROR"),
    CallRule("reset with CANCEL", [.closed(.resetByPeer(.cancel))], .cancelled, "CANCEL"),
    CallRule(
      "reset with ENHANCE_YOUR_CALM", [good, message, .closed(.resetByPeer(.enhanceYourCalm))],
      .resourceExhausted, "ENHANCE_YOUR_CALM"),
    CallRule(
      "unprocessed after headers", [good, .closed(.unprocessed)], .unavailable,
      "not processed (GOAWAY)"),
    CallRule(
      "refused after headers", [good, .closed(.resetByPeer(.refusedStream))], .unavailable,
      "then refused the stream (REFUSED_STREAM)"),

    // Events that HTTP/2 rules out
    CallRule("data first", [message], .internal, "data came before headers", reset: .internalError),
    CallRule("trailers first", [ok], .internal, "trailers came before", reset: .internalError),
    CallRule("headers twice", [good, good], .internal, "came twice", reset: .internalError),

    // Events of the client
    CallRule("canceled", [good, .cancel], .cancelled, reset: .cancel, origin: .local),
    CallRule(
      "expired while waiting", [.expire], .deadlineExceeded, "before the server responded",
      reset: .cancel, origin: .local),
    CallRule(
      "expired during the response", [good, .data([0]), .expire], .deadlineExceeded,
      "before the response was complete", reset: .cancel, origin: .local),
    CallRule(
      "canceled after the deadline", [.time(10), .cancel], .deadlineExceeded, reset: .cancel,
      origin: .local),
    CallRule(
      "reset with CANCEL after the deadline", [.time(10), .closed(.resetByPeer(.cancel))],
      .deadlineExceeded, origin: .local),
    CallRule(
      "status CANCELLED after the deadline",
      [.time(11), good, .trailers(fields(["grpc-status": "1", "grpc-message": "why"]))],
      .deadlineExceeded, origin: .local),
    CallRule(
      "status CANCELLED before the deadline",
      [.time(9), good, .trailers(fields(["grpc-status": "1", "grpc-message": "why"]))],
      .cancelled, "why", origin: .server),
    CallRule("connection lost", [good, message, .lost], .unavailable, "lost"),
  ]
}
