package import CommandLine
import CommandResources
import CommandShell
import Tripwire

let mintTokenCommand = Command.local(
  name: "token mint", summary: "mint a token with a service account", MintOptions(),
  MintOptions.all,
  shell: { ShellOptions(output: $0.output, usesProfiles: true, profile: $0.profile) },
  help: { help },
  run: { (line, options, console) throws(ErrorReport) in
    let start = ContinuousClock.now
    let claims = try ErrorReport.reporting(options.checkedClaims(line))
    let (token, project) = try await options.token(.custom(claims), line, console, since: start)
    for (option, other) in options.projects where project.map({ $0 != other }) ?? false {
      console.warn(
        "--\(option) names the project \(other), but the key belongs to \(project ?? ""):"
          + " the token is valid in every project where the service account has a role")
    }
    if !AuthorizationClaims.wildcards(in: claims).isEmpty {
      console.warn(
        "the token grants access to more than one resource: do not give it to an app")
    }
    return console.print(token.value + "\n")
  })

package struct MintOptions: Sendable {
  /// The name of the selected profile; nil for the current one.
  var profile: String?
  var token = TokenOptions()
  /// For the servers that sign.
  var connection = ConnectionOptions()
  var tls = TLSOptions()
  var request = RequestOptions()
  var output = OutputOptions()
  var role: TokenRole?
  var lifetime = Duration.seconds(ServiceAccountKey.longestLifetime)
  /// The claims in their order.
  var given: [GivenClaim] = []
  /// The IDs of the claim `taskids`.
  var taskIDs: [String] = []
  /// The projects in the full names of resources.
  var projects: [(option: String, project: String)] = []

  package static let all: [Option<MintOptions>] =
    TokenOptions.ofSigners.map { $0.inside(\.token) } + claims
    + [RequestOptions.timeout.described(timeout).inside(\.request)]
    + ProfileOption.all.map { $0.inside(\.profile) }
    + ConnectionOptions.ofSigners.map { $0.inside(\.connection) }
    + TLSOptions.ofSigners.map { $0.inside(\.tls) } + [OutputOptions.verbose.inside(\.output)]

  private static let timeout =
    "stop after TIME, such as 500ms or 2m\nIncludes the time to read files. Default: 20s for the signature of Google,"
    + " and 60s for a program that prints the access token."

  private static let claims: [Option<MintOptions>] =
    [
      .value(
        "provider", "ID", .common, "warn if the key does not belong to this Cloud project",
        parse: Parse.providerID, store: { $0.projects.append(("provider", $1)) })
    ]
    + ResourceKind.allCases.map { kind in
      .value(
        kind.option, "ID", .common, "set the claim \(kind.claim) to ID, or to * for all",
        parse: Parse.bareID(kind.claim),
        store: { options, given in
          options.given.append(
            GivenClaim(option: "--\(kind.option)", name: kind.claim, value: "\(given.id)"))
          if let project = given.project { options.projects.append((kind.option, project)) }
        })
    } + [
      .value(
        "task-ids", "ID,...", .common,
        "set the claim taskids, to create these tasks", parse: Parse.taskIDs,
        store: { $0.taskIDs += $1 }),
      .value(
        "role", "ROLE", .common,
        "mint a token for ROLE\nROLE is one of "
          + TokenRole.allCases.map(\.rawValue).joined(separator: ", ")
          + ". server sets its claims to * for all trips and vehicles, delivery-server for all deliveries, and"
          + " fleet-reader for both. The other roles require an option with an ID, such as --vehicle for driver. With --role,"
          + " options that set other claims are rejected.",
        choice: Choice(TokenRole.allCases.map { ($0.rawValue, $0) }), store: { $0.role = $1 }),
      .value(
        "claim", "NAME=VALUE", .common,
        "add NAME to the claim \"authorization\" (repeatable)\nIf VALUE is valid JSON, it is read as JSON:"
          + " ids=[1,2]. Any other VALUE is a string. Put a string of digits in quotes: 'id=\"12\"'.",
        parse: Parse.claim,
        store: { options, claim in
          let option = "--claim \(escaped(claim.name))"
          options.given.append(GivenClaim(option: option, name: claim.name, value: claim.value))
        }),
      .value(
        "lifetime", "TIME", .common, "let the token expire after TIME, 1s to 1h\nDefault: 1h.",
        parse: Parse.boundedDuration(
          .seconds(1) ... .seconds(ServiceAccountKey.longestLifetime),
          "expected 1s to 1h, the longest lifetime that Fleet Engine accepts"),
        store: { $0.lifetime = $1 }),
    ]

  /// Returns the token, and the project of the key that signed it, if it is known.
  fileprivate func token(
    _ claims: AuthorizationClaims, _ line: ParsedCommandLine, _ console: Console,
    since start: ContinuousClock.Instant
  ) async throws(ErrorReport) -> (token: AuthToken, project: String?) {
    guard let source = token.source else {
      throw ErrorReport(local: "no option names a key or an account that signs", hint: nil)
    }
    let network = TokenNetwork(connection, tls, console, output, timeout: request.timeout)
    // A program may print the access token.
    return try await interruptible(on: console.loop) { [self] () async throws(ErrorReport) in
      do throws(ErrorReport) {
        return try await source.token(
          claims, lifetime: lifetime / .seconds(1), at: Double(console.clock().now), on: network,
          quotaProjectID: token.quotaProjectID, line.sources,
          until: request.timeout.map { start + $0 }, console)
      } catch {
        throw error.namingTimeout
      }
    }
  }

  func checkedClaims(_ line: ParsedCommandLine) throws(UsageError) -> [String: Value] {
    if let word = line.operands.first {
      let isKey = token.source == nil && word.hasSuffix(".json")
      throw UsageError(
        message: "unexpected argument \(escaped(TokenError.shown(word)))",
        hint: isKey
          ? "pass the key with --credentials \(escaped(word))"
          : "pass a trip with --trip, such as --trip t1")
    }
    guard token.source?.signs == true else {
      throw UsageError(
        message: "--credentials or --sign-as is missing",
        hint:
          "pass the account that signs, with --sign-as ACCOUNT; or its key, with --credentials key.json, unless your"
          + " organization forbids keys (iam.disableServiceAccountKeyCreation)"
      )
    }
    var all = given
    if !taskIDs.isEmpty {
      let tasks = Value(kind: .listValue(.init(values: taskIDs.map { "\($0)" })))
      all.append(GivenClaim(option: "--task-ids", name: "taskids", value: tasks))
    }
    var claims: [String: Value] = [:]
    for claim in all {
      if let other = claims.updateValue(claim.value, forKey: claim.name), other != claim.value {
        throw UsageError(
          message:
            "the claim \(escaped(claim.name)) is set to both \(escaped(other.words)) and"
            + " \(escaped(claim.value.words))",
          hint: AuthorizationClaims.known.contains(claim.name)
            ? "mint one token for each, or use * for all"
            : "pass \(claim.option) once")
      }
    }
    if let role {
      try role.check(all)
      return claims.merging(role.claims) { given, _ in given }
    }
    guard !claims.isEmpty else {
      throw UsageError(
        message: "no claims were given",
        hint: "pass --trip ID for one trip, --vehicle ID for one vehicle, or --role server for all")
    }
    return claims
  }
}

extension Parse {
  /// Parses `tripid=t1`, or a value in JSON: `taskids=["t1"]`.
  fileprivate static func claim(_ text: String) throws(InvalidValue) -> (name: String, value: Value)
  {
    let (name, given, value) = try namedValue(
      text, of: "--claim", form: "NAME=VALUE, such as tripid=t1")
    if case .numberValue? = value.kind, AuthorizationClaims.known.contains(name) {
      throw InvalidValue(
        "expected a string, found a number",
        hint: quoting(name, given, of: "--claim"))
    }
    try check(value, claim: name)
    return (name, value)
  }
}

private let help = HelpText(
  usage: "tripwire token mint (--credentials FILE | --sign-as ACCOUNT)\n"
    + "                           (--trip ID | --role ROLE | ...) [options]",
  about:
    "Signs a token for Fleet Engine, or with --sign-as has Google sign it, and prints only the token. Its claims, and"
    + " the roles of the service account in the project, decide what it grants. The options with one ID also"
    + " accept a name, such as trips/TRIP or providers/PROJECT/trips/TRIP. A token does not name a project."
    + " If you pass a full name or --provider, tripwire warns if the key of --credentials belongs to another project.",
  examples: [
    "tripwire token mint --sign-as app@p.iam.gserviceaccount.com --trip t1":
      "mint a token for a rider app, without a key",
    "tripwire token mint --credentials key.json --vehicle v1": "mint a token for a driver app",
    "tripwire token mint --credentials key.json --task-ids t1,t2":
      "mint a token for a backend that creates tasks",
    "tripwire token mint --credentials key.json --role server --lifetime 5m":
      "mint a token for a backend, for all trips and vehicles",
  ], options: MintOptions.all,
  exitCodes: [
    ("0", "the token is on stdout"),
    ("1", "the key or the credentials cannot be read or cannot sign"),
    ("2", "invalid command line"),
    ExitCode.failedCall(
      "With --sign-as only: 80 if Google does not sign, 78 if it cannot be reached"),
    ExitCode.signaled,
  ])
