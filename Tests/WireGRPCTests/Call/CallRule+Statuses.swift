import TestSupport

@testable import WireGRPC

extension CallRule {
  /// Statuses that a server returns.
  static let statuses: [CallRule] = [
    // Trailers-Only
    CallRule(
      "trailers only",
      [
        .headers(
          fields([
            ":status": "200", "content-type": "application/grpc", "grpc-status": "5",
            "grpc-message": "no trip %E2%9C%93 100%",
          ]), endStream: true)
      ], .notFound, "no trip ✓ 100%", origin: .server),
    CallRule(
      "trailers only without a content-type",
      [.headers(fields([":status": "200", "grpc-status": "7"]), endStream: true)],
      .permissionDenied, origin: .server),
    CallRule(
      "trailers only, OK without a message",
      [
        .headers(
          fields([":status": "200", "content-type": "application/grpc", "grpc-status": "0"]),
          endStream: true)
      ], .unimplemented, "without a message"),
    CallRule(
      "trailers only without grpc-status",
      [
        .headers(
          fields([":status": "200", "content-type": "application/grpc"]), endStream: true)
      ], .unknown, "no grpc-status"),
    CallRule(
      "grpc-status in headers that are not the last is ignored: no trailers",
      [
        .headers(
          fields([":status": "200", "content-type": "application/grpc", "grpc-status": "0"])),
        message, .data([], endStream: true),
      ], .internal, "without trailers"),
    CallRule(
      "grpc-status in headers that are not the last is ignored: trailers win",
      [
        .headers(
          fields([":status": "200", "content-type": "application/grpc", "grpc-status": "0"])),
        message, .trailers(fields(["grpc-status": "9"])),
      ], .failedPrecondition, origin: .server),

    // Status
    CallRule(
      "an error after a message", [good, message, .trailers(fields(["grpc-status": "8"]))],
      .resourceExhausted, origin: .server),
    CallRule(
      "an error in the middle of a message",
      [good, .data([0, 0]), .trailers(fields(["grpc-status": "10", "grpc-message": "so"]))],
      .aborted, "so", origin: .server),
    CallRule(
      "no grpc-status", [good, message, .trailers(fields(["x": "y"]))], .unknown,
      "no grpc-status"),
    CallRule(
      "a sign before the number", [good, message, .trailers(fields(["grpc-status": "+0"]))],
      .unknown, "not a number", origin: .server),
    CallRule(
      "not a number", [good, .trailers(fields(["grpc-status": "abc", "grpc-message": "hm"]))],
      .unknown, "hm (grpc-status is \"abc\"", origin: .server),
    CallRule(
      "an empty grpc-status", [good, .trailers(fields(["grpc-status": ""]))], .unknown,
      "not a number", origin: .server),
    CallRule(
      "a negative grpc-status", [good, .trailers(fields(["grpc-status": "-1"]))], .unknown,
      "is -1, which is not a gRPC code", origin: .server),
    CallRule(
      "a huge grpc-status",
      [good, .trailers(fields(["grpc-status": "99999999999999999999"]))], .unknown,
      "not a gRPC code",
      origin: .server),
    CallRule(
      "a grpc-status without a name", [good, .trailers(fields(["grpc-status": "17"]))],
      StatusCode(rawValue: 17), origin: .server),
    CallRule(
      "two different values", [good, .trailers(fields(["grpc-status": "5", "grpc-status": "0"]))],
      .unknown, "grpc-status has two values, 5 and 0", origin: .server),
    CallRule(
      "the same value twice", [good, .trailers(fields(["grpc-status": "5", "grpc-status": "5"]))],
      .notFound, origin: .server),
  ]
}
