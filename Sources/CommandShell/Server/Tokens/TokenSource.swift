package import CommandLine
package import Tripwire
package import TripwireGoogleAuth
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

  /// The option, or the variable if no option sets the source.
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
  ///   - sources: the sources of the command's options, for errors.
  ///   - deadline: when to give up waiting for the writer of a pipe; nil leaves a file 15 s,
  ///     and standard input any time.
  ///   - warn: called with each warning.
  package func provider(
    on network: TokenNetwork, quotaProjectID: String?, _ sources: [String: ValueSource],
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
        case .key(let key):
          guard let api = network.api else { return ServiceAccountToken(key: key) }
          return SelfSignedTokens(key: key, audience: api.audience)
        case .accounts(let accounts, let tokens):
          return network.api == nil ? try network.signed(accounts, tokens) : tokens
        }
      case .command(let line, let isForAll):
        return CommandToken(
          shell: line, dependsOnContext: !isForAll, timeout: network.programTimeout)
      case .accessToken(let source):
        return try source.tokens(
          on: network, quotaProjectID: quotaProjectID, until: deadline, warn)
      }
    } catch {
      throw report(error, network.environment, sources)
    }
  }

  private func report(
    _ error: TokenError, _ environment: Environment, _ sources: [String: ValueSource]
  ) -> ErrorReport {
    let file: FileReadError? = if case .file(let reason)? = error.cause { reason } else { nil }
    return ErrorReport(
      local: describe(error, sources.label(of: option)), of: option,
      hint: hint(for: error, environment, sources), file)
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
      AccessTokenSource.warning(aboutFile: path).map(warn)
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
  ///   - deadline: when to give up; nil waits as long as the signer and programs may take.
  package func token(
    _ claims: AuthorizationClaims, lifetime: Double, at time: Double, on network: TokenNetwork,
    quotaProjectID: String?, _ sources: [String: ValueSource],
    until deadline: ContinuousClock.Instant?, _ console: Console
  ) async throws(ErrorReport) -> (token: AuthToken, project: String?) {
    let signed: SignJWTTokens
    do throws(TokenError) {
      switch try signer(
        on: network, quotaProjectID: quotaProjectID, until: deadline, console.warn)
      {
      case .key(let key):
        return (try key.token(claims, lifetime: lifetime, at: time), key.projectID)
      case .accounts(let accounts, let tokens):
        signed = try network.signed(accounts, tokens, claims: claims, lifetime: lifetime)
      }
    } catch {
      throw report(error, network.environment, sources)
    }
    let loop = try console.requiredLoop()
    do throws(CallError) {
      return (try await TokenCache(signed).token(for: .any, until: deadline, on: loop), nil)
    } catch {
      let subject = Hint.Subject.method("google.iam.credentials.v1.IAMCredentials/SignJwt")
      throw ErrorReport(
        error,
        Hint(
          endpoint: SignJWTTokens.endpoint, subject: subject, hasToken: true, tokenOption: option,
          principals: { signed.principals }, sources: sources))
    }
  }

  /// - Parameter sources: of the command's options.
  package func hint(
    for error: TokenError, _ environment: Environment = .process,
    _ sources: [String: ValueSource] = [:]
  ) -> String? {
    let name = sources.name(of: option)
    return switch (self, error.cause) {
    case (_, .file(.tooLate)): FileReadError.tooLate.hint
    case (.credentials(let path), _) where error.isOfAnotherType:
      passing("it with --access-token \(shellWord(path))", sources)
        + "; add --sign-as ACCOUNT to have tokens signed"
    case (_, .credentials(let type)): hint(forCredentialsOf: type, sources)
    case (_, .remedy(.newKey)):
      TokenError.Remedy.newKey.rawValue
        + ", or use --sign-as if your organization forbids keys (iam.disableServiceAccountKeyCreation)"
    case (_, .remedy(let remedy)): remedy.rawValue
    case (_, .action(let action)): action
    case (.file("-"), .noInput): "write a token to stdin"
    case (.variable, _): "check TRIPWIRE_TOKEN, or use --token-file"
    case (_, .file(.system(.isADirectory))):
      "pass a file, not a directory, with \(name)"
    case (.credentials("-"), .noInput): "write the key to stdin"
    case (.credentials(let path), _):
      ErrorReport.accessHint(for: [path], in: name)
        ?? "check that \(name) names the JSON key of a service account"
    case (.file(let path), _) where Credentials.isToken(path):
      "pass the token on stdin with --token-file -"
    case (.file(let path), _):
      ErrorReport.accessHint(for: [path], in: name)
        ?? "check that \(name) names a file with a token"
    case (.accessToken(.file(let path)), _), (.signer(_, .file(let path)), _):
      ErrorReport.accessHint(for: [path], in: sources.name(of: "--access-token"))
        ?? "check that \(sources.name(of: "--access-token")) names a credentials file of Google Cloud"
    case (.accessToken, _), (.signer, _):
      environment[DefaultAccessTokens.variable].flatMap {
        ErrorReport.accessHint(for: [$0], in: DefaultAccessTokens.variable)
      } ?? "check this file, or pass other credentials with --access-token"
    case (.credentialsText, _) where error.isOfAnotherType:
      "write it to a file that only you can read, and pass that with --access-token"
    case (.credentialsText, _):
      "set TRIPWIRE_CREDENTIALS_JSON to the whole JSON key of a service account"
    case (.command, _): "pass a command that prints a token with --token-command"
    }
  }

  /// The hint for credentials in place of a token.
  private func hint(
    forCredentialsOf type: String, _ sources: [String: ValueSource]
  ) -> String {
    let isKey = type == "service_account"
    let file: String
    switch self {
    case .variable(let value) where !Self.isFile(value):
      return isKey
        ? "unset TRIPWIRE_TOKEN, and set TRIPWIRE_CREDENTIALS_JSON to this key"
        : "unset TRIPWIRE_TOKEN, write it to a file that only you can read, and pass that with --access-token"
    case .file(let path), .variable(let path): file = shellWord(path)
    default: file = "FILE"
    }
    return passing(
      isKey
        ? "it with --credentials \(file), or with --access-token \(file) for a back end"
        : "it with --access-token \(file)", sources)
  }

  /// Returns the action to pass a file with another option, and to remove the setting that names it now, unless it is on
  /// the command line.
  private func passing(_ words: String, _ sources: [String: ValueSource]) -> String {
    if case .variable = self { return "unset \(option), and pass \(words)" }
    guard let source = LongOptions.longName(option).flatMap({ sources[$0] }), source != .option
    else { return "pass \(words)" }
    return "\(sources.removal(of: option)), and pass \(words)"
  }

  /// A file may be renewed while the command runs; a pipe can be read once.
  private static func fileToken(
    _ path: String, until deadline: ContinuousClock.Instant?
  ) throws(TokenError) -> any AuthTokenProvider {
    let token = try FileToken.token(in: path, until: deadline)
    let isFile = path != "-" && (try? FileVersion(of: path)) != nil
    return isFile ? FileToken(path: path) : try FixedToken(token)
  }

  /// Tokens contain no slash (JWTs are base64url) and do not end in ".jwt". JSON may have been taken for a token.
  private static func isFile(_ value: String) -> Bool {
    if value == "-" || LocalFile.exists(value) { return true }
    return Credentials.kind(of: value) != "JSON"
      && (value.hasSuffix(".jwt") || value.utf8.contains(UInt8(ascii: "/")))
  }

  /// - Parameter label: names the source.
  private func describe(_ error: TokenError, _ label: String) -> String {
    switch (self, error) {
    case (.variable, .unreadable(let path, let reason)):
      Self.mayBeShown(path)
        ? "TRIPWIRE_TOKEN: \(escaped(path)): \(reason.problem)"
        : "TRIPWIRE_TOKEN: cannot read the file it names: \(reason.problem)"
    case (.file, .unreadable(let path, let reason)):
      "\(label): \(escaped(TokenError.shown(path))): \(reason.problem)"
    case (.credentials, .badKey), (.credentials, .cannotSign), (.variable, _), (.accessToken, _),
      (.signer, _):
      "\(label): \(escaped(error.problem))"
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
