import CommandLine
package import Tripwire
import TripwireGoogleAuth
import WireSystem

/// The source of the token. Never the arguments, because other users of the machine can read them.
package enum TokenSource: Equatable, Sendable {
  /// `-` is standard input.
  case file(String)
  /// The value of TRIPWIRE_TOKEN: the token, or the path of its file.
  case variable(String)
  /// The file of a service-account key; `-` is standard input.
  case credentials(String)
  /// The value of TRIPWIRE_CREDENTIALS_JSON: a service-account key.
  case credentialsText(String)
  case accessToken(AccessTokenSource)
  /// The account that signs, after its delegates, and the source of the access tokens for it.
  case signer([String], AccessTokenSource)
  /// A line for the shell, and whether its token is for all resources.
  case command(String, isForAll: Bool = false)

  package static let commandOption = "--token-command"

  /// The option or the variable, for errors.
  package var option: String {
    switch self {
    case .file: "--token-file"
    case .variable: "TRIPWIRE_TOKEN"
    case .credentials: "--credentials"
    case .credentialsText: "TRIPWIRE_CREDENTIALS_JSON"
    case .accessToken(.machine(isVariable: true)): DefaultAccessTokens.variable
    case .accessToken(.machine(isVariable: false)): "the credentials of this machine"
    case .accessToken: "--access-token"
    case .signer: "--sign-as"
    case .command: Self.commandOption
    }
  }

  package var isStandardInput: Bool {
    switch self {
    case .file("-"), .variable("-"), .credentials("-"), .accessToken(.file("-")),
      .signer(_, .file("-")):
      true
    default: false
    }
  }

  /// Whether the token comes from a file or a variable, and no program runs and no server is asked for it.
  package var isLocal: Bool {
    switch self {
    case .file, .variable, .credentials, .credentialsText: true
    case .command, .accessToken, .signer: false
    }
  }

  /// Returns the provider; nil if this machine has no credentials, and nothing else provides a token. Reads the files,
  /// before a connection is made.
  ///
  /// - Parameters:
  ///   - network: the connections for access tokens.
  ///   - quotaProjectID: the project that calls with access tokens are charged to.
  ///   - deadline: when to give up waiting for the writer of a pipe; nil leaves a file 15 s,
  ///     and standard input any time.
  ///   - warn: called with each warning.
  package func provider(
    on network: TokenNetwork, quotaProjectID: String?,
    until deadline: ContinuousClock.Instant? = nil, _ warn: (String) -> Void
  ) throws(ErrorReport) -> (any AuthTokenProvider)? {
    do throws(TokenError) {
      switch self {
      case .file(let path): return try Self.fileToken(path, until: deadline)
      case .variable(let value):
        return Self.isFile(value)
          ? try Self.fileToken(value, until: deadline) : try FixedToken(value)
      case .credentials, .credentialsText, .signer:
        switch try signer(on: network, quotaProjectID: quotaProjectID, until: deadline, warn) {
        case .key(let key): return ServiceAccountToken(key: key)
        case .accounts(let accounts, let tokens): return try network.signed(accounts, tokens)
        }
      case .command(let line, let isForAll):
        return CommandToken(shell: line, dependsOnContext: !isForAll)
      case .accessToken(let source):
        return try source.tokens(
          on: network, quotaProjectID: quotaProjectID, until: deadline, warn)
      }
    } catch {
      throw report(error)
    }
  }

  private func report(_ error: TokenError) -> ErrorReport {
    let file: FileReadError? = if case .file(let reason)? = error.cause { reason } else { nil }
    return ErrorReport(local: describe(error), of: option, hint: hint(for: error), file)
  }

  // MARK: Signers

  private enum Signer {
    case key(ServiceAccountKey)
    /// The account that signs, after its delegates, and the access tokens for Google's signer.
    case accounts([String], AccessTokens)
  }

  /// Whether tokens with any claims can be signed.
  package var signs: Bool {
    switch self {
    case .credentials, .credentialsText, .signer: true
    case .file, .variable, .command, .accessToken: false
    }
  }

  /// Returns the key, or the account that signs without one.
  private func signer(
    on network: TokenNetwork, quotaProjectID: String?, until deadline: ContinuousClock.Instant?,
    _ warn: (String) -> Void
  ) throws(TokenError) -> Signer {
    let (json, origin): ([UInt8], String)
    switch self {
    case .credentials(let path):
      (json, origin) = try ServiceAccountKey.contents(of: path, until: deadline)
    case .credentialsText(let text): (json, origin) = (Array(text.utf8), option)
    case .signer(let accounts, let source):
      let tokens = try source.tokens(
        on: network, quotaProjectID: quotaProjectID, until: deadline, warn)
      guard let tokens else { throw .noCredentials }
      return .accounts(accounts, tokens)
    case .file, .variable, .command, .accessToken: throw .noCredentials
    }
    do throws(TokenError) {
      let key = try ServiceAccountKey(json: json, origin: origin)
      if key.isRepaired { warn(AccessTokenSource.repair(of: option)) }
      return .key(key)
    } catch {
      guard case .cannotSign(_, ImpersonatedServiceAccount.type) = error else { throw error }
      let credentials = try CredentialsFile.credentials(json: json, origin: origin)
      return .accounts(
        [Self.ownAccount], network.accessTokens(credentials, quotaProjectID: quotaProjectID))
    }
  }

  /// The value of --sign-as for the account of the credentials themselves.
  static let ownAccount = "default"

  /// Signs one token, or has it signed. Returns it with the project of the key, if it is known.
  ///
  /// - Parameters:
  ///   - lifetime: in seconds.
  ///   - time: when the token is issued, in seconds since 1970.
  package func token(
    _ claims: AuthorizationClaims, lifetime: Double, at time: Double, on network: TokenNetwork,
    quotaProjectID: String?, _ warn: (String) -> Void
  ) async throws(ErrorReport) -> (token: AuthToken, project: String?) {
    do {
      switch try signer(on: network, quotaProjectID: quotaProjectID, until: nil, warn) {
      case .key(let key):
        return (try key.token(claims, lifetime: lifetime, at: time), key.projectID)
      case .accounts(let accounts, let tokens):
        let signed = try network.signed(accounts, tokens, claims: claims, lifetime: lifetime)
        return (try await signed.token(for: .any), nil)
      }
    } catch let error as TokenError {
      throw report(error)
    } catch let error as CallError {
      let subject = Hint.Subject.method("google.iam.credentials.v1.IAMCredentials/SignJwt")
      throw ErrorReport(
        error,
        Hint(
          endpoint: SignJWTTokens.endpoint, subject: subject, hasToken: true, tokenOption: option))
    } catch {
      throw ErrorReport(local: "\(option): \(error)", of: option, hint: nil)
    }
  }

  package func hint(for error: TokenError) -> String? {
    switch (self, error.cause) {
    case (_, .file(.tooLate)): FileReadError.tooLate.hint
    case (.credentials(let path), _) where error.isOfAnotherType:
      "pass it with --access-token \(shellWord(path)); add --sign-as ACCOUNT to have tokens signed"
    case (.file, .remedy(.json)):
      "pass a service account key with --credentials, other Google Cloud credentials with --access-token, or extract"
        + " the token, for example with jq -r .token"
    case (_, .remedy(.newKey)):
      TokenError.Remedy.newKey.rawValue
        + ", or use --sign-as if your organization forbids keys (iam.disableServiceAccountKeyCreation)"
    case (_, .remedy(let remedy)): remedy.rawValue
    case (_, .action(let action)): action
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
    case (.accessToken(.file(let path)), _), (.signer(_, .file(let path)), _):
      ErrorReport.accessHint(for: [path], in: "--access-token")
        ?? "pass a credentials file of Google Cloud with --access-token"
    case (.accessToken, _), (.signer, _):
      "check \(DefaultAccessTokens.variable), or pass --access-token"
    case (.credentialsText, _) where error.isOfAnotherType:
      "write it to a file that only you can read, and pass that with --access-token"
    case (.credentialsText, _):
      "set TRIPWIRE_CREDENTIALS_JSON to the whole JSON key of a service account"
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
    case (.credentials, .badKey), (.credentials, .cannotSign), (.variable, _), (.accessToken, _),
      (.signer, _):
      "\(option): \(escaped(error.problem))"
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
}

extension TokenError {
  /// Whether the credentials are of a type that cannot sign.
  package var isOfAnotherType: Bool {
    if case .cannotSign = self { true } else { false }
  }
}
