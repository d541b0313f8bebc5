import Tripwire
import WireProtobuf

let mintTokenCommand = Command.local(
  name: "token mint", summary: "sign a token with the key of a service account", MintOptions(),
  MintOptions.all, help: { help },
  run: { (line, options, console) throws(LocalFailure) in
    let claims: [String: Value]
    do throws(UsageError) {
      claims = try options.checkedClaims(line)
    } catch {
      throw .usage(error)
    }
    let key: ServiceAccountKey
    let token: AuthToken
    do throws(TokenError) {
      key = try ServiceAccountKey(operand: options.credentialsFile ?? "")
      token = try key.token(
        .custom(claims), lifetime: options.lifetime / .seconds(1),
        at: Double(console.clock().now))
    } catch {
      throw .report(
        ErrorReport(
          local: "--credentials: \(escaped(error.description))",
          hint: error.isOfAnotherType
            ? "give the key of a service account, or call without a key: \(TokenSource.accessToken)"
            : "check --credentials"))
    }
    for (option, project) in options.projects where key.projectID.map({ $0 != project }) ?? false {
      console.warn(
        "--\(option) is of the project \(project), and the key of \(key.projectID ?? ""): no token names a"
          + " project, and this one is good in those where the account of the key has a role")
    }
    if !AuthorizationClaims.wildcards(in: claims).isEmpty {
      console.warn("whoever has this token has more than one trip or vehicle: it is not for an app")
    }
    return console.print(token.value + "\n")
  })

/// What `tripwire token mint` was told.
struct MintOptions: Sendable {
  var credentialsFile: String?
  var role: TokenRole?
  var lifetime = Duration.seconds(ServiceAccountKey.longestLifetime)
  /// In their order, with their names in the token.
  var given: [(name: String, value: Value)] = []
  /// Of the claim `taskids`.
  var taskIDs: [String] = []
  /// Those of the trips and vehicles that were given by their whole names.
  var projects: [(option: String, project: String)] = []

  /// The options that stand for a claim each.
  static let claimOptions: [(option: String, claim: String)] = [
    ("trip", "tripid"), ("vehicle", "vehicleid"), ("task", "taskid"),
    ("tracking", "trackingid"), ("delivery-vehicle", "deliveryvehicleid"),
  ]

  static func option(for claim: String) -> String {
    claimOptions.first(where: { $0.claim == claim })?.option ?? "claim"
  }

  static let all: [Option<MintOptions>] =
    [
      .value(
        "credentials", "FILE", .common,
        "the service account's key, as Google Cloud gives it: JSON; - is stdin",
        parse: Parse.text, store: { $0.credentialsFile = $1 })
    ]
    + claimOptions.map { name, claim in
      .value(
        name, "ID", .common, "let the bearer see this one: the claim \(claim)",
        parse: Parse.bareID(claim),
        store: { options, given in
          options.given.append((claim, "\(given.id)"))
          if let project = given.project { options.projects.append((name, project)) }
        })
    } + [
      .value(
        "task-ids", "ID,...", .common,
        "let the bearer create these tasks at once: the claim taskids", parse: Parse.taskIDs,
        store: { $0.taskIDs += $1 }),
      .value(
        "role", "ROLE", .common,
        "whom it is for, to have the claims checked: "
          + TokenRole.allCases.map(\.rawValue).joined(separator: ", ")
          + "; server, delivery-server and fleet-reader are for everything",
        parse: Parse.choice(TokenRole.allCases.map { ($0.rawValue, $0) }), store: { $0.role = $1 }),
      .value(
        "claim", "NAME=VALUE", .common,
        "add a claim to authorization (repeatable); a VALUE that is JSON is taken as such, any other is a"
          + " string: 'ids=[1,2]', 'id=\"12\"' for a string of digits",
        parse: Parse.claim, store: { $0.given.append($1) }),
      .value(
        "lifetime", "TIME", .common, "how long it is good, from 1s to 1h; 1h if not given",
        parse: Parse.lifetime, store: { $0.lifetime = $1 }),
    ]

  func checkedClaims(_ line: ParsedCommandLine) throws(UsageError) -> [String: Value] {
    if let word = line.operands.first {
      let isKey = credentialsFile == nil && word.hasSuffix(".json")
      throw UsageError(
        message: "what is \(escaped(TokenError.shown(word)))?",
        hint: isKey
          ? "a key goes after --credentials, as in: --credentials \(escaped(word))"
          : "a trip goes after --trip, as in: --trip t1")
    }
    guard credentialsFile != nil else {
      throw UsageError(
        message: "--credentials is missing",
        hint: "as in: tripwire token mint --credentials key.json --trip t1")
    }
    var claims: [String: Value] = [:]
    let tasks: [Value] = taskIDs.map { "\($0)" }
    let all =
      given + (tasks.isEmpty ? [] : [("taskids", Value(kind: .listValue(.init(values: tasks))))])
    for (name, value) in all {
      if let other = claims.updateValue(value, forKey: name), other != value {
        throw UsageError(
          message:
            "\(escaped(name)) is \(Self.shown(other)), and \(Self.shown(value)): a token has one",
          hint: "mint one token for each, or give * for all")
      }
    }
    if let role { return try role.claims(claims) }
    guard !claims.isEmpty else {
      throw UsageError(
        message: "what is the token for?",
        hint: "--trip ID for one trip, --vehicle ID for one vehicle, --role server for everything")
    }
    return claims
  }

  /// A string as it is, all else as JSON.
  private static func shown(_ value: Value) -> String {
    escaped(value.text ?? (try? value.jsonString()) ?? "")
  }
}

extension Parse {
  /// `t1`, or for the claims `tripid` and `vehicleid` `providers/p/trips/t1`, and the like, for it and
  /// the project of it.
  static func bareID(
    _ claim: String
  ) -> @Sendable (String) throws(BadValue) -> (id: String, project: String?) {
    { (text) throws(BadValue) in
      let context = AuthorizationContext(of: text)
      switch (claim, context.tripID, context.vehicleID) {
      case ("tripid", nil, _?): throw BadValue("is a vehicle: use --vehicle")
      case ("vehicleid", _?, nil): throw BadValue("is a trip: use --trip")
      default: break
      }
      guard let id = claim == "tripid" ? context.tripID : context.vehicleID else {
        try check(text, claim: claim)
        return (text, nil)
      }
      try check(id, claim: claim)
      return (id, (try? ResourceName(text))?.providerID)
    }
  }

  private static func check(_ id: String, claim name: String) throws(BadValue) {
    try check("\(id)" as Value, claim: name)
  }

  private static func check(_ value: Value, claim name: String) throws(BadValue) {
    if let (reason, cure) = AuthorizationClaims.problem(name, value) {
      throw BadValue("\(reason): \(cure)")
    }
    if let id = value.text, let reason = problem(ofID: id, claim: name) { throw BadValue(reason) }
  }

  /// `t1,t2`: no ID has a comma in it.
  static func taskIDs(_ text: String) throws(BadValue) -> [String] {
    let ids = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for id in ids { try check(id, claim: "taskid") }
    return ids
  }

  /// Why no trip or vehicle can have this ID; nil if one can, or the claim is for something else.
  static func problem(ofID id: String, claim: String) -> String? {
    guard id != "*", claim == "tripid" || claim == "vehicleid" else { return nil }
    let collection = claim == "tripid" ? "trips" : "vehicles"
    do throws(ResourceNameError) {
      _ = try ResourceName("providers/p/\(collection)/\(id)")
      return nil
    } catch {
      return "is no ID: \(error.reason)"
    }
  }

  /// `tripid=t1`, or with a value in JSON: `taskids=["t1"]`.
  fileprivate static func claim(_ text: String) throws(BadValue) -> (name: String, value: Value) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw BadValue("wants NAME=VALUE, as in tripid=t1") }
    let name = String(parts[0])
    let value = (try? Value(jsonString: String(parts[1]))) ?? "\(parts[1])"
    if case .numberValue(let number)? = value.kind {
      let isString = AuthorizationClaims.known.contains(name)
      // Past 2^53 it would become another number.
      guard !isString, number.magnitude <= 0x1p53 else {
        throw BadValue(
          "is a number: for a string, quote it, as in --claim '\(name)=\"\(parts[1])\"'")
      }
    }
    try check(value, claim: name)
    return (name, value)
  }

  fileprivate static func lifetime(_ text: String) throws(BadValue) -> Duration {
    let lifetime = try duration(text)
    guard (.seconds(1) ... .seconds(ServiceAccountKey.longestLifetime)).contains(lifetime) else {
      throw BadValue("wants 1s to 1h: Fleet Engine takes no token that lasts longer")
    }
    return lifetime
  }
}

private let help =
  HelpText(
    usage: "tripwire token mint --credentials FILE --trip ID [options]",
    about:
      "Signs a token for Fleet Engine and writes it, and nothing else, to stdout. What it may do"
      + " depends on its claims, and on the roles of the service account in the project. --trip and"
      + " --vehicle take a whole name, too, such as providers/PROJECT/trips/TRIP: no token names a"
      + " project, so there is a warning when the key is of another.",
    sections: [
      HelpText.Section(
        title: "Examples",
        rows: [
          ("tripwire token mint --credentials key.json --trip t1 > token.jwt", "for a rider's app"),
          ("tripwire token mint --credentials key.json --vehicle v1", "for a driver's app"),
          (
            "tripwire token mint --credentials key.json --task-ids t1,t2",
            "for a backend that creates these tasks"
          ),
          (
            "tripwire token mint --credentials key.json --role server --lifetime 5m",
            "for a backend: every trip and vehicle"
          ),
        ])
    ] + HelpText.sections(of: MintOptions.all) + [
      HelpText.Section(
        title: "Exit codes",
        rows: [
          ("0", "the token is on stdout"), ("1", "the key cannot be read, or cannot sign"),
          ("2", "the command line is wrong"),
        ])
    ]
  ).description
