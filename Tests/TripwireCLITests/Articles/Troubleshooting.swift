import CommandCalls
import CommandLine
import Recording
import Tripwire

@testable import CommandShell

/// The messages of errors with their causes and hints. The hints are those that the command prints.
enum Troubleshooting {
  /// The same hint for one or more messages.
  struct Row {
    /// "…" stands for the parts that vary.
    let messages: [String]
    let cause: String
    let hint: String?
  }

  static func row(_ messages: String..., cause: String, hint: String?) -> Row {
    Row(messages: messages, cause: cause, hint: hint)
  }

  static var article: GeneratedArticle {
    GeneratedArticle(
      name: "Troubleshooting",
      text: """
        # Troubleshooting

        Find the cause of an error message, and what to do.

        ## Overview

        Most errors end with a hint: one action. The tables below list the messages with their causes and hints. In
        them, … stands for a part that varies, `\(endpoint)` for the address of the server, and `\(resource)` for
        the trip.

        A hint about the server names the option, the variable or the profile from which its address comes. The
        tables show `--endpoint`. If you named no server, the hint about a missing connection is
        `\(unreachable)`.

        If the hint does not help, run the command again with `-v`. It shows each step of the connection and all
        headers, without credentials. <doc:CommandErrors> explains the report of a failed call, and <doc:ExitCodes>
        lists the exit codes.

        ## No connection

        \(table(connections))
        ## The call failed

        \(table(calls))
        ## A service of Google gives a reason

        Below the error, a line shows the reason, such as `reason SERVICE_DISABLED (domain googleapis.com)`. The hint
        then depends on the reason. The project, the service and the permission in it are those that the service
        names. Capitals stand for those that it does not name, and for those that a shell might misread.

        \(table(reasons))
        ## Calls of a recording

        With `--replay`, a call that the recording or the script does not contain fails.

        \(table(replays))
        ## A program is not installed

        \(table(programs))
        ## Trips from a relay

        With `--from`, the program `tripwire-relay` receives the resources. `tripwire relay` runs the same program.

        \(table(relay))
        ## No token

        \(table(tokens))
        ## A file cannot be used

        Other options that name a file have the same errors as the options in the table.

        \(table(files))
        ## An output cannot be written

        Other options that write a file have the same errors as `--map`.

        \(table(outputs))
        ## Options of other tools

        Tripwire does not have these options of grpcurl, buf curl and curl. The error is `unknown option`, with the hint.

        \(GeneratedArticle.table(["option", "hint"], ForeignOption.hints(among: CallCommandOptions.all).map { ["`\($0)`", code($1)] }))
        Other errors in the command line name the option or the operand. Their hint is usually the nearest
        valid name, the expected form, or the command that prints the help.

        """)
  }

  private static func table(_ rows: [Row]) -> String {
    GeneratedArticle.table(
      ["message", "cause", "hint"],
      rows.map {
        [$0.messages.map(code).joined(separator: ", "), $0.cause, $0.hint.map(code) ?? ""]
      })
  }

  private static func code(_ text: String) -> String { "`\(text)`" }

  // MARK: Calls

  static let endpoint = "HOST:PORT"
  private static var unreachable: String {
    Hint(
      endpoint: FleetServices.defaultEndpoint, subject: .resource(resource), hasToken: true,
      endpointSource: .standard
    ).text(for: ConnectionFailure(reason: .refused, peer: "", detail: ""))
  }
  static let resource = "providers/PROJECT/trips/TRIP"
  private static let method = "SERVICE/METHOD"

  /// Returns the hint of the command for an error of the server, or of another origin.
  private static func hint(
    _ code: StatusCode, _ message: String = "", _ origin: CallError.Origin = .server,
    about subject: Hint.Subject = .resource(resource), hasToken: Bool = true,
    tokenOption: String? = nil, endpointSource: EndpointSource = .option, attempts: Int = 1,
    trailers: Metadata = [:]
  ) -> String? {
    Hint(
      endpoint: endpoint, subject: subject, hasToken: hasToken, tokenOption: tokenOption,
      endpointSource: endpointSource
    ).text(
      for: CallError(
        code: code, message: message, trailers: trailers, origin: origin, attempts: attempts))
  }

  private static func hint(_ cause: CallError.Cause) -> String? {
    var error = CallError(code: .unknown, message: "", origin: .transport)
    error.cause = cause
    return Hint(endpoint: endpoint, subject: .resource(resource), hasToken: true).text(for: error)
  }

  static var calls: [Row] {
    [
      row(
        "INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE",
        cause: "The server does not accept a value of the request, and gives no reason.",
        hint: hint(.invalidArgument)),
      row(
        "INVALID_ARGUMENT: …", "FAILED_PRECONDITION: …", "OUT_OF_RANGE: …",
        cause: "The server does not accept a value of the request.",
        hint: hint(.invalidArgument, "…")),
      row(
        "NOT_FOUND", cause: "The resource does not exist, such as the trip or the vehicle.",
        hint: hint(.notFound)),
      row(
        "NOT_FOUND", cause: "`update` of a vehicle or a task: it does not exist, or no longer.",
        hint: hint(
          .notFound,
          about: .changed(
            "providers/PROJECT/vehicles/VEHICLE",
            method: String(VehicleServiceMethods.updateVehicle.path.dropFirst())))),
      row(
        "NOT_FOUND", cause: "`call`: something that the request names does not exist.",
        hint: hint(.notFound, about: .method(method))),
      row(
        "ALREADY_EXISTS", cause: "`create` and `call`: the server has a resource with this ID.",
        hint: hint(.alreadyExists)),
      row(
        "PERMISSION_DENIED", "UNAUTHENTICATED", cause: "The call has no token.",
        hint: hint(.permissionDenied, hasToken: false)),
      row(
        "PERMISSION_DENIED", cause: "The token does not allow this call.",
        hint: hint(.permissionDenied)),
      row(
        "PERMISSION_DENIED", cause: "`search vehicles`: the token is for one trip or vehicle.",
        hint: hint(
          .permissionDenied,
          about: .method(String(VehicleServiceMethods.searchVehicles.path.dropFirst())))),
      row(
        "PERMISSION_DENIED", cause: "`call` of another API: the token does not allow this call.",
        hint: hint(.permissionDenied, about: .method(method))),
      row(
        "PERMISSION_DENIED", "UNAUTHENTICATED", cause: "The token is for another resource.",
        hint: Hint.text(
          for: UncoveredResource(claim: "tripid", id: "TRIP", ids: [], coverage: "…"))),
      row(
        "UNAUTHENTICATED", cause: "The token has expired, or the server does not accept it.",
        hint: hint(.unauthenticated)),
      row(
        "UNAUTHENTICATED",
        cause:
          "A clock is wrong: by the `date` of the response, the token is not valid yet, or no longer.",
        hint: Hint.setClock(of: "this machine") + ": …"),
      row(
        "RESOURCE_EXHAUSTED: Quota exceeded …", cause: "The project has made too many calls.",
        hint: hint(.resourceExhausted)),
      row(
        "RESOURCE_EXHAUSTED", cause: "The response is larger than 4 MiB or `--max-message-size`.",
        hint: hint(.resourceExhausted, "", .local)),
      row(
        "RESOURCE_EXHAUSTED", "OUT_OF_RANGE",
        cause: "The request is larger than the server accepts.",
        hint: hint(
          .resourceExhausted, "Received message larger than max 4194304",
          about: .method(method))),
      row(
        "RESOURCE_EXHAUSTED", cause: "The headers are larger than the server accepts.",
        hint: hint(.resourceExhausted, "", .local, attempts: 0)),
      row(
        "DEADLINE_EXCEEDED", cause: "There was no response within `--timeout`.",
        hint: hint(.deadlineExceeded)),
      row(
        "UNIMPLEMENTED", cause: "The server is not Fleet Engine.", hint: hint(.unimplemented)),
      row(
        "UNIMPLEMENTED", cause: "`call`: the server does not have the method.",
        hint: hint(.unimplemented, about: .method(method))),
      row(
        "UNIMPLEMENTED",
        cause: "`call`, `list` and `describe`: the server does not describe its services.",
        hint: hint(.unimplemented, about: .reflection)),
      row(
        "INTERNAL: the reflection service returned an invalid descriptor: …",
        cause: "`call`, `list` and `describe`: the server describes its services incorrectly.",
        hint: Hint.replaceDescriptors),
      row(
        "UNAVAILABLE", "ABORTED", "CANCELLED",
        cause:
          "The server is overloaded or restarting, or the request conflicted with another one.",
        hint: hint(.unavailable)),
      row(
        "INTERNAL", "UNKNOWN", "DATA_LOSS", cause: "The server has a defect.",
        hint: hint(.internal)),
      row(
        "UNKNOWN: the response has HTTP status …", cause: "The server redirects the call.",
        hint: hint(.redirect("…"))),
      row(
        "UNKNOWN: the response has content-type …", "PERMISSION_DENIED: …", "UNIMPLEMENTED: …",
        cause: "A login page, a proxy or a web server answered.",
        hint: hint(.webPage(title: "…"))),
      row(
        "INTERNAL: the response has content-type …", cause: "The server supports only gRPC-Web.",
        hint: hint(.grpcWeb)),
    ]
  }

  static var replays: [Row] {
    [
      row(
        "PERMISSION_DENIED", "UNAUTHENTICATED", cause: "The recorded call failed with this status.",
        hint: hint(.unauthenticated, endpointSource: .replay)),
      row(
        "NOT_FOUND", "RESOURCE_EXHAUSTED", "UNAVAILABLE", "INTERNAL", "…",
        cause: "The recorded call failed with this status.",
        hint: hint(.unavailable, endpointSource: .replay)),
      row(
        "NOT_FOUND: … is not in this …", cause: "No recorded call has this name.",
        hint: hint(for: .resource)),
      row(
        "NOT_FOUND: providers/… is not in this …",
        cause: "`search`: no recorded call has this provider.",
        hint: hint(for: .provider)),
      row(
        "NOT_FOUND: this request for … is not in this …",
        cause: "A recorded call has this name, but other fields.",
        hint: hint(for: .request)),
      row(
        "UNIMPLEMENTED: … is not in this …", cause: "No call of this method was recorded.",
        hint: hint(for: .method)),
      row(
        "UNIMPLEMENTED: … is not in this …",
        cause: "`call` of another API: no call of this method was recorded.",
        hint: hint(for: .method, about: .method(method))),
    ]
  }

  private static func hint(
    for miss: ReplayMiss, about subject: Hint.Subject = .resource(resource)
  ) -> String? {
    hint(
      .notFound, about: subject, endpointSource: .replay,
      trailers: [ReplayMiss.trailer: .text(miss.rawValue)])
  }

  /// The hint for a token that could not be had when a call was to be sent.
  static func hint(for error: TokenError) -> String? {
    var failure = CallError(code: .unauthenticated, message: "", origin: .local)
    failure.underlyingError = error
    return Hint(
      endpoint: endpoint, subject: .resource(resource), hasToken: true,
      tokenOption: TokenSource.commandOption
    ).text(for: failure)
  }

  static var slowTokenCommand: String? {
    var failure = CallError.local(.deadlineExceeded, "")
    failure.cause = .slowPreparation
    return Hint(
      endpoint: endpoint, subject: .resource(resource), hasToken: true,
      tokenOption: TokenSource.commandOption
    ).text(for: failure)
  }
}
