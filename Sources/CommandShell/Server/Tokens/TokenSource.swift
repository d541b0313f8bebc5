import CommandLine
package import Tripwire
import WireSystem

/// The source of the token. Never the arguments, because other users of the machine can read them.
package enum TokenSource: Equatable, Sendable {
  /// `-` is standard input.
  case file(String)
  /// The value of TRIPWIRE_TOKEN: the token, or the path of its file.
  case variable(String)
  /// The file of a service-account key; `-` is standard input.
  case credentials(String)
  /// A line for the shell, and whether its token is for all resources.
  case command(String, isForAll: Bool = false)

  package static let commandOption = "--token-command"

  /// The option or the variable, for errors.
  package var option: String {
    switch self {
    case .file: "--token-file"
    case .variable: "TRIPWIRE_TOKEN"
    case .credentials: "--credentials"
    case .command: Self.commandOption
    }
  }

  package var isStandardInput: Bool {
    [.file("-"), .variable("-"), .credentials("-")].contains(self)
  }

  /// Reads the files, before a connection is made.
  ///
  /// - Parameter deadline: when to give up waiting for the writer of a pipe; nil leaves a file 15 s,
  ///   and standard input any time.
  package func provider(
    until deadline: ContinuousClock.Instant? = nil
  ) throws(ErrorReport) -> any AuthTokenProvider {
    do throws(TokenError) {
      return switch self {
      case .file(let path): try Self.fileToken(path, until: deadline)
      case .variable(let value):
        Self.isFile(value) ? try Self.fileToken(value, until: deadline) : try FixedToken(value)
      case .credentials(let path):
        ServiceAccountToken(key: try ServiceAccountKey(operand: path, until: deadline))
      case .command(let line, let isForAll): CommandToken(shell: line, dependsOnContext: !isForAll)
      }
    } catch {
      let file: FileReadError? = if case .file(let reason)? = error.cause { reason } else { nil }
      throw ErrorReport(local: describe(error), of: option, hint: hint(for: error), file)
    }
  }

  package func hint(for error: TokenError) -> String? {
    switch (self, error.cause) {
    case (_, .file(.tooLate)): FileReadError.tooLate.hint
    case (.credentials, _) where error.isOfAnotherType:
      "use an access token of the account in this file: \(Self.accessToken)"
    case (.file, .remedy(.json)):
      "pass a service account key with --credentials, or extract the token, for example with jq -r .token"
    case (_, .remedy(let remedy)): remedy.rawValue
    case (.file("-"), .noInput): "write a token to stdin"
    case (.variable, _): "check TRIPWIRE_TOKEN, or use --token-file"
    case (_, .file(.system(.isADirectory))):
      "pass a file, not a directory, with \(option)"
    case (.credentials("-"), .noInput): "write the key to stdin"
    case (.credentials(let path), _):
      ErrorReport.accessHint(for: [path], in: option)
        ?? "check that --credentials names the JSON key of a service account"
    case (.file(let path), _) where Credentials.isToken(path):
      "pass the token on stdin with --token-file -"
    case (.file(let path), _):
      ErrorReport.accessHint(for: [path], in: option)
        ?? "check that --token-file names a file with a token"
    case (.command, _): "pass a command that prints a token with --token-command"
    }
  }

  /// A file may be renewed while the command runs; a pipe can be read once.
  private static func fileToken(
    _ path: String, until deadline: ContinuousClock.Instant?
  ) throws(TokenError) -> any AuthTokenProvider {
    let token = try FileToken.token(in: path, until: deadline)
    let isFile = path != "-" && (try? FileVersion(of: path)) != nil
    return isFile ? FileToken(path: path) : try FixedToken(token)
  }

  /// Tokens contain no slash (JWTs are base64url) and do not end in ".jwt".
  private static func isFile(_ value: String) -> Bool {
    value == "-" || value.hasSuffix(".jwt") || value.utf8.contains(UInt8(ascii: "/"))
      || LocalFile.exists(value)
  }

  private func describe(_ error: TokenError) -> String {
    switch (self, error) {
    case (.variable, .unreadable(let path, let reason)):
      Self.mayBeShown(path)
        ? "TRIPWIRE_TOKEN: \(escaped(path)): \(reason.problem)"
        : "TRIPWIRE_TOKEN: cannot read the file it names: \(reason.problem)"
    case (.file, .unreadable(let path, let reason)):
      "--token-file: \(escaped(TokenError.shown(path))): \(reason.problem)"
    case (.credentials, .badKey), (.credentials, .cannotSign):
      "--credentials: \(escaped(error.problem))"
    case (.variable, _): "TRIPWIRE_TOKEN: \(escaped(error.problem))"
    default: escaped(error.problem)
    }
  }

  /// Whether the variable's value is certainly the name of a file. It might be a secret with a slash in
  /// it, as base64 has.
  private static func mayBeShown(_ path: String) -> Bool {
    guard TokenError.shown(path) == path else { return false }
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    return path.hasSuffix(".jwt") || !folder.isEmpty && LocalFile.exists(String(folder))
  }

  /// The options for the account of Application Default Credentials that cannot sign.
  static let accessToken =
    "--token-command 'gcloud auth application-default print-access-token' --token-for-all"
}

extension TokenError {
  /// Whether the credentials are of a type that cannot sign.
  package var isOfAnotherType: Bool {
    if case .cannotSign = self { true } else { false }
  }
}
