import Tripwire

/// What all calls of a command have in common, besides the token.
struct RequestOptions: Sendable {
  var timeout: Duration?
  /// Nil for as many as the API's own policy has, if it has one.
  var retries: Int?
  var headers = Metadata()
  var maxMessageSize = CallOptions.defaultMaxReceiveMessageSize

  static let all: [Option<RequestOptions>] = [
    .value(
      "timeout", "TIME", .common,
      "how long it may take in all, such as 500ms or 2m, with the reading of files; if not given, 15s"
        + " for Fleet Engine, for reflection and for files that are pipes, no limit for other calls",
      parse: Parse.duration, store: { $0.timeout = $1 }),
    .value(
      "retries", "N", .common,
      "retry up to N times, 0 to 4, while the server is unavailable or cannot be reached; if not"
        + " given, 4 for Fleet Engine once it is reached, 0 for other calls and for reflection."
        + " In any case, a call that the server refuses unprocessed is sent once more at once (gRFC A6)",
      parse: Parse.retries, store: { $0.retries = $1 }),
    .value(
      "header", short: "H", "'NAME: VALUE'", .request,
      "send this header, too (repeatable); the value of a name that ends in -bin is base64",
      parse: Parse.header, store: { $0.headers.append(contentsOf: $1) }),
    .value(
      "max-message-size", "BYTES", .request,
      "take an answer of up to so many bytes, such as 16MiB; 4MiB if not given",
      parse: Parse.byteCount, store: { $0.maxMessageSize = $1 }),
  ]
}
