import CommandLine
import CommandResources
import CommandShell
import Tripwire
import WireSystem

let inspectTokenCommand = Command.local(
  name: "token inspect", summary: "show the claims of a token and check them",
  InspectOptions(), InspectOptions.all, operand: .file, help: { help },
  run: { (line, options, console) throws(ErrorReport) in
    guard line.operands.count < 2 else {
      throw .usage("unexpected argument \(escaped(line.operands[1])): token inspect takes one FILE")
    }
    if let error = UsageError.invalidFiles(line.operands) { throw ErrorReport(error) }
    let report = try options.report(on: line.operands.first ?? "-", console.clock())
    let code = console.print(options.isJSON ? report.json : report.text(console.clock()))
    return code == .success && !report.hasNoFailedCheck ? .localFailure : code
  })

struct InspectOptions: Sendable {
  var wanted: [(claim: String, id: String)] = []
  var keyFile: String?
  var isJSON = false

  static let all: [Option<InspectOptions>] =
    ResourceKind.allCases.map { kind in
      .value(
        kind.option, "ID", .common, "check that the claim \(kind.claim) contains ID",
        parse: Parse.bareID(kind.claim), store: { $0.wanted.append((kind.claim, $1.id)) })
    } + [
      .value(
        "task-ids", "ID,...", .common, "check that the claim taskids contains these IDs",
        parse: Parse.taskIDs,
        store: { options, ids in options.wanted += ids.map { ("taskids", $0) } }),
      .value(
        "key", "FILE", .common,
        "verify the signature with the key in FILE\nFILE is PEM (a certificate, a public or a"
          + " private key) or the JSON of a service account.",
        parse: Parse.text, store: { $0.keyFile = $1 }),
      .value(
        "output", short: "o", "FORMAT", .common,
        "print text (default) or json\njson is one object with header, claims, checks and valid."
          + " The outcome of a check is ok, warning, failed or unchecked. valid is true or false,"
          + " or null if no check failed and the signature was not verified.",
        choice: Choice([("text", false), ("json", true)]), store: { $0.isJSON = $1 }),
    ]

  /// - Parameter path: of a file with a token in it, or `-`.
  func report(on path: String, _ clock: WallClock) throws(ErrorReport) -> TokenReport {
    let origin = escaped(TokenError.shown(LocalFile.name(of: path)))
    let text = try mapError(FileToken.token(in: path)) { (error: TokenError) in
      ErrorReport(
        local: escaped(error.problem),
        hint: Credentials.isToken(path)
          ? "pass the token on stdin: tripwire token inspect -"
          : ErrorReport.accessHint(for: [path]) ?? error.action
            ?? "check that \(origin) has a token and nothing else")
    }
    let token = try mapError(JSONWebToken(text)) { (error: JSONWebToken.Problem) in
      ErrorReport(
        local: "\(origin): not a JWT: \(error)", hint: error.cure)
    }
    let checks = TokenChecks(
      token: token, clock: clock, wanted: wanted,
      signature: try keyFile.map { (path) throws(ErrorReport) in try signature(token, path) }
        ?? [TokenChecks.uncheckedSignature])
    return TokenReport(token: token, checks: checks.all)
  }

  private func signature(
    _ token: JSONWebToken, _ path: String
  ) throws(ErrorReport) -> [TokenCheck] {
    let origin = TokenError.shown(path)
    let file = try mapError(LocalFile.contents(of: path, limit: 1 << 20)) {
      (error: FileReadError) in
      ErrorReport("key", origin, error)
    }
    do {
      // JSON may begin with white space. PEM does not begin with a brace.
      guard file.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
        let key = try RSAPublicKey(pem: file, origin)
        let isSigned = key.verifies(token.signature, of: Array(token.signedText.utf8))
        return [TokenChecks.signature(isOfKey: isSigned)]
      }
      return TokenChecks.signature(
        of: token, by: try ServiceAccountKey(json: file, origin: path))
    } catch {
      throw ErrorReport(
        local: escaped("--key: \(error)"),
        hint: "with --key, pass a PEM public key, private key or certificate, or the JSON key of a"
          + " service account")
    }
  }
}

private let help = HelpText(
  usage: "tripwire token inspect [FILE|-] [options]",
  about:
    "Shows the claims of the token in FILE, or on stdin, and checks them as Fleet Engine does."
    + " For each failed check it prints how to correct the token. The signature is verified only with"
    + " --key: without it, anyone may have made the token. Nothing is sent. The signature is not"
    + " shown.",
  examples: [
    "tripwire token inspect token.jwt --trip t1": "check that it is for this trip",
    "curl -s https://backend/token/t1 | jq -r .jwt | tripwire token inspect": "",
    "tripwire token inspect token.jwt --key key.json -o json | jq .valid":
      "verify the signature, too",
  ], options: InspectOptions.all,
  exitCodes: [
    ("0", "no check failed; there may be warnings or an unverified signature"),
    ("1", "a check failed, or the input is not a JWT"),
    ("2", "invalid command line"),
  ])
