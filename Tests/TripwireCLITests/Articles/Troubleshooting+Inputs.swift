import CallCommands
import CommandCalls
import CommandLine
import CommandShell
import RecordingCommands
import Tripwire
import WireSystem
import WireTLS

@testable import TripwireGoogleAuth

extension Troubleshooting {
  // MARK: Tokens

  static var tokens: [Row] {
    wrappedTokens + [
      row(
        "--token-file: …: the file is empty", "--token-file: …: larger than 64 KiB",
        cause: "The file is not a token.", hint: TokenSource.file("-").hint(for: .empty)),
      row(
        TokenError.empty.problem, TokenError.tooLong.problem,
        cause: "The program of `--token-command` prints no token.", hint: hint(for: .empty)),
      row(
        "the token has an invalid character at byte offset …: …",
        cause: "The file has several lines, or is not a token.",
        hint: TokenSource.file("-").hint(for: .illegalCharacter(offset: 0))),
      row(
        TokenError.cannotSign(origin: "…", type: "…").problem,
        cause: "The file of `--credentials` is not the key of a service account.",
        hint: TokenSource.credentials("-").hint(for: .cannotSign(origin: "", type: ""))),
      commandRow(
        .commandFailed(program: "", reason: "…"), cause: "The program of `--token-command` failed."),
      commandRow(
        .invalidResponse(reason: "…"),
        cause: "The program of `--token-command` prints JSON of another form."),
      row(
        "\(TokenSource.commandOption): the deadline passed before the command ended",
        cause: "The program of `--token-command` is slow, or waits for input.",
        hint: slowTokenCommand),
      row(
        "the server refused the token…",
        cause: "The server rejected the token, and its source has no other.",
        hint: hint(for: .refused(reason: "", retryAfter: nil, isOnly: false))),
    ] + signIns
  }

  /// Google Cloud credentials.
  private static var signIns: [Row] {
    [
      row(
        TokenError.noCredentials.problem,
        cause: "`--access-token adc` or `--sign-as`: nobody has signed in on this machine.",
        hint: TokenError.noCredentials.action),
      row(
        "https://oauth2.googleapis.com/token did not accept the credentials in … (status 400: invalid_grant: …)",
        cause: "The login has expired, or was revoked.", hint: UserCredentials.login),
      row(
        "\(SignJWTTokens.name) did not sign as …: PERMISSION_DENIED: …",
        cause: "The account of the access token may not have tokens signed as ACCOUNT.",
        hint: JWTSigner.grant(on: "ACCOUNT", to: nil, through: [])),
      row(
        "https://… \(HTTPFailure.untrusted)",
        cause: "A proxy of the network answers for the token endpoint.",
        hint: HTTPFailure.untrusted.action),
      row(
        "https://… \(HTTPFailure.noLibrary)",
        cause: "Requests for access tokens need the package libcurl4.",
        hint: HTTPFailure.noLibrary.action),
    ]
  }

  /// Tokens with something around them.
  private static var wrappedTokens: [Row] {
    let examples = [
      "Bearer x", "'x'", #"{"token": "x"}"#, #"{"type": "authorized_user"}"#, "authorization: x",
      "\u{feff}x", "x\0",
    ]
    return examples.compactMap { example in
      do throws(TokenError) {
        try TokenError.check(example)
        return nil
      } catch {
        return tokenRow(error, cause: "The file contains more than the token, or is not ASCII.")
      }
    }
  }

  private static func tokenRow(_ error: TokenError, cause: String) -> Row {
    row(error.problem, cause: cause, hint: TokenSource.file("-").hint(for: error))
  }

  private static func commandRow(_ error: TokenError, cause: String) -> Row {
    row(error.problem, cause: cause, hint: hint(for: error))
  }

  // MARK: Files

  static var files: [Row] {
    func file(_ error: FileReadError, cause: String) -> Row {
      let report = ErrorReport("cacert", "…", error)
      return row(report.message, cause: cause, hint: report.hint)
    }
    func pem(_ option: String, _ fault: PEMFault, cause: String) -> Row {
      row(
        fault.description(of: "\(option): …"), cause: cause,
        hint: ErrorReport.hint(for: fault, option, "--key"))
    }
    return [
      file(.system(.noSuchFile), cause: "The file does not exist."),
      file(.system(.isADirectory), cause: "The path is that of a directory."),
      file(.system(.accessDenied), cause: "This user may not read the file."),
      file(.tooLarge(limit: 8 << 20), cause: "The file is not of the expected kind."),
      row(
        ErrorReport("cacert", "…", .tooLate).message,
        cause: "The file is a pipe, and its writer is slow or has not started.",
        hint: FileReadError.tooLate.hint.map { $0 + ", or raise --timeout" }),
      pem("--cacert", .noCertificate, cause: "The file is not PEM, or has other contents."),
      pem("--key", .noPrivateKey, cause: "The file has no private key."),
      pem("--key", .encrypted, cause: "The private key has a password."),
      pem("--key", .otherKey, cause: "The private key belongs to another certificate."),
      pem(
        "--cert", .binary(.pkcs12),
        cause: "The file has a certificate and its key in the format of Windows and Java."),
      pem(
        "--cacert", .binary(.certificate),
        cause: "The file is DER, the binary form of a certificate."),
      pem("--crlfile", .noRevocationList, cause: "The file has no revocation list."),
      pem("--cacert", .invalid("…"), cause: "The contents are damaged."),
      row(
        ProtoFiles.timeout.message,
        cause: "The file or an import is a pipe, and its writer is slow or has not started.",
        hint: ProtoFiles.timeout.hint.map { $0 + ", or raise --timeout" }),
    ]
  }

  static var outputs: [Row] {
    let map = CommandFile(option: "--map", path: "…", use: .output)
    let refusal = OutputFile.refusal("--map …", for: map.option, replacing: .mapPage)
    func conflict(_ reason: String, cause: String) -> Row {
      let error = map.conflict(reason)
      return row(error.message, cause: cause, hint: error.hint)
    }
    return [
      row(
        refusal.message, cause: "A file that the option did not write has this path.",
        hint: refusal.hint),
      conflict(CommandFile.isRead, cause: "The command reads the file that it would replace."),
      conflict(CommandFile.isSame("…"), cause: "Two outputs have the same path."),
      row(
        PEMFault.noKeyLog.description(of: "--keylog: …"),
        cause: "The file is neither empty nor a key log.",
        hint: ErrorReport.hint(for: .noKeyLog, "--keylog", "--key")),
      row(
        "warning: \(TLSOptions.sharedKeyLog("…"))",
        cause: "Anyone who can read the file can decrypt the traffic.", hint: "run chmod 600"),
      row(
        "--proto-out-dir: the file name … does not stay in the folder",
        cause: "The server or the protoset has a file with `..` in its path.",
        hint: SchemaFiles.nameHint),
    ]
  }
}
