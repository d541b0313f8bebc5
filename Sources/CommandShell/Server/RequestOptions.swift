package import CommandLine
import Tripwire

/// The options that all calls of a command share, except the token.
package struct RequestOptions: Sendable {
  package var timeout: Duration?
  /// Nil for the number of the API's own policy.
  var retries: Int?
  var headers = Metadata()
  /// The files that ``readHeaderFiles()`` reads; `-` is standard input.
  var headerFiles: [String] = []
  var maxMessageSize = CallOptions.defaultMaxReceiveMessageSize

  package init() {}

  package static let timeout = Option<RequestOptions>.value(
    "timeout", "TIME", .common,
    "stop after TIME, such as 500ms or 2m\nIncludes the time to read files. Default: 15s for"
      + " reflection and for calls to Fleet Engine, but 60s for deliveries and no limit for delete,"
      + " report-billable and 'call ListVehicles'. Other calls have no limit.",
    parse: Parse.duration, store: { $0.timeout = $1 }
  ).inProfiles()

  static let all: [Option<RequestOptions>] = [
    timeout,
    .value(
      "retries", "N", .common,
      "retry up to N times, 0 to 4\nRetries while the server is unavailable or cannot be reached."
        + " Default: 4 for Fleet Engine (0 for delete, report-billable and ListVehicles), 0 for other calls"
        + " and for reflection. By default, a call is not retried if the first connection cannot be made; with --retries it is."
        + " If the server rejects a call without processing it, tripwire sends it again once, also with"
        + " --retries 0 (gRFC A6).",
      // gRPC allows five attempts in total.
      parse: Parse.count(0...4), store: { $0.retries = $1 }
    ).inProfiles(),
    .value(
      "header", short: "H", "'NAME: VALUE'", .request,
      "send this header (repeatable)\n@FILE reads one header per line from FILE, and @- from stdin. Use"
        + " them for secrets: other users can read the arguments of a command. The value of a name that ends in -bin is base64.",
      parse: Parse.headerArgument, store: { $0.add($1) }
    ).secret(hint: "set token-file or token-command: a header may contain a credential"),
    .value(
      "max-message-size", "BYTES", .request,
      "accept responses of up to BYTES, such as 16MiB\nDefault: 4MiB.",
      parse: Parse.byteCount, store: { $0.maxMessageSize = $1 }
    ).inFullHelpOnly().inProfiles(),
  ]
}
