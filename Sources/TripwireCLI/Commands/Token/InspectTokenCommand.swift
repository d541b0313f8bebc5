import Tripwire
import WireSystem
import WireTLS

let inspectTokenCommand = Command.local(
  name: "token inspect", summary: "say what a token says, and what is wrong with it",
  InspectOptions(), InspectOptions.all, help: { help },
  run: { (line, options, console) throws(LocalFailure) in
    guard line.operands.count < 2 else {
      throw .usage(
        UsageError(message: "one FILE at a time: what is \(escaped(line.operands[1]))?"))
    }
    do throws(ErrorReport) {
      let report = try options.report(on: line.operands.first ?? "-", console.clock())
      let code = console.print(
        options.output == .json ? report.json : report.text(console.clock()))
      return code == .success && !report.isGood ? .localFailure : code
    } catch {
      throw .report(error)
    }
  })

/// What `tripwire token inspect` was told.
struct InspectOptions: Sendable {
  /// Bare IDs by their claims.
  var wanted: [(claim: String, id: String)] = []
  var keyFile: String?
  var output = OutputFormat.text

  enum OutputFormat {
    case text
    case json
  }

  static let all: [Option<InspectOptions>] =
    MintOptions.claimOptions.map { name, claim in
      .value(
        name, "ID", .common, "check that it is good for this one, by its claim \(claim)",
        parse: Parse.bareID(claim), store: { $0.wanted.append((claim, $1.id)) })
    } + [
      .value(
        "task-ids", "ID,...", .common, "check that it is good for these, by its claim taskids",
        parse: Parse.taskIDs,
        store: { options, ids in options.wanted += ids.map { ("taskids", $0) } }),
      .value(
        "key", "FILE", .common,
        "check the signature with this key: PEM (a certificate, a public or a private key), or the JSON"
          + " of a service account",
        parse: Parse.text, store: { $0.keyFile = $1 }),
      .value(
        "output", short: "o", "FORMAT", .common,
        "text (the default), or json: one object with header, claims, checks and valid; a check's"
          + " outcome is ok, warning, failed or unchecked, and valid is true, false, or null: nothing"
          + " failed, but the signature was not checked",
        parse: Parse.choice([("text", OutputFormat.text), ("json", .json)]),
        store: { $0.output = $1 }),
    ]

  /// - Parameter path: of a file with a token in it, or `-`.
  func report(on path: String, _ clock: WallClock) throws(ErrorReport) -> TokenReport {
    let text: String
    do throws(TokenError) {
      text = try FileToken.token(in: path)
    } catch {
      let origin = path == "-" ? "what stdin is" : escaped(TokenError.shown(path))
      throw ErrorReport(local: escaped(error.description), hint: "check \(origin)")
    }
    let token: JSONWebToken
    do throws(JSONWebToken.Problem) {
      token = try JSONWebToken(text)
    } catch {
      throw ErrorReport(
        local: "the token is no JWT: \(error)", hint: error.cure)
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
    do {
      let file: [UInt8]
      do throws(FileReadError) {
        file = try LocalFile.contents(of: path, limit: 1 << 20)
      } catch {
        throw TokenError.badKey(origin: path, reason: error.description)
      }
      // JSON may begin with white space, and PEM cannot be it.
      guard file.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
        let key = try RSAPublicKey(pem: file, origin)
        let isSigned = key.verifies(token.signature, of: Array(token.signedText.utf8))
        return [TokenChecks.signature(isOfKey: isSigned)]
      }
      return TokenChecks.signature(
        of: token, by: try ServiceAccountKey(json: file, origin: path))
    } catch {
      throw ErrorReport(local: escaped("--key: \(error)"), hint: "check --key")
    }
  }
}

private let help =
  HelpText(
    usage: "tripwire token inspect [FILE|-] [options]",
    about:
      "Says what the token in FILE, or from stdin, says, checks it as Fleet Engine would, and what"
      + " to do about each check that fails. The signature is checked with --key only:"
      + " without it, anybody may have made the token. Nothing is sent, and the signature is not shown.",
    sections: [
      HelpText.Section(
        title: "Examples",
        rows: [
          ("tripwire token inspect token.jwt --trip t1", "is it good for this trip?"),
          ("curl -s https://backend/token/t1 | jq -r .jwt | tripwire token inspect", ""),
          ("tripwire token inspect token.jwt --key key.json -o json | jq .valid", "signature, too"),
        ])
    ] + HelpText.sections(of: InspectOptions.all) + [
      HelpText.Section(
        title: "Exit codes",
        rows: [
          ("0", "no check failed; there may be warnings, and a signature that was not checked"),
          ("1", "a check failed, or there is no JWT to check"),
          ("2", "the command line is wrong"),
        ])
    ]
  ).description
