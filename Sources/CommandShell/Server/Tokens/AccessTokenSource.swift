package import CommandLine
import Tripwire
import TripwireGoogleAuth
import WireSystem

/// Where access tokens come from: the value of --access-token, or this machine.
package enum AccessTokenSource: Equatable, Sendable {
  /// Application Default Credentials, as all of Google's clients find them.
  case applicationDefault
  /// The default without an option: Application Default Credentials, or else the account of gcloud. Also whether the
  /// variable of their file is set.
  case machine(isVariable: Bool)
  case metadataServer
  case gcloud
  /// A line for the shell.
  case command(String)
  /// A credentials file, or a file that contains only a token; `-` is standard input.
  case file(String)

  private static let commandPrefix = "command:"
  /// The values that name no file, for completion.
  package static let words = ["adc", "metadata", "gcloud", commandPrefix]

  package init(_ text: String) throws(InvalidValue) {
    switch text {
    case "adc": self = .applicationDefault
    case "metadata": self = .metadataServer
    case "gcloud": self = .gcloud
    case Self.commandPrefix, "":
      throw InvalidValue("expected adc, metadata, gcloud, command:CMD or a FILE")
    case _ where text.hasPrefix(Self.commandPrefix):
      self = .command(String(text.dropFirst(Self.commandPrefix.count)))
    default: self = .file(text)
    }
  }

  /// Whether the value of an option is a file of --access-token.
  package static func isFile(_ text: String, of option: String) -> Bool {
    guard option == "access-token", case .file? = try? AccessTokenSource(text) else { return false }
    return true
  }

  /// Returns the access tokens; nil if nothing asked for them, and this machine has no credentials.
  ///
  /// - Parameters:
  ///   - deadline: when to give up waiting for the writer of a pipe.
  ///   - warn: called with each warning about the credentials and their file.
  func tokens(
    on network: TokenNetwork, quotaProjectID: String?, until deadline: ContinuousClock.Instant?,
    _ warn: (String) -> Void
  ) throws(TokenError) -> AccessTokens? {
    guard let found = try credentials(on: network, until: deadline) else {
      if case .machine = self { return nil }
      throw .noCredentials
    }
    warnings(about: found, network.environment).forEach(warn)
    return network.accessTokens(found, quotaProjectID: quotaProjectID)
  }

  private func credentials(
    on network: TokenNetwork, until deadline: ContinuousClock.Instant?
  ) throws(TokenError) -> (any GoogleCredentials)? {
    let machine = ApplicationDefaultCredentials(network.environment)
    var gcloud: CommandCredentials {
      .gcloud(network.environment, timeout: network.programTimeout)
    }
    switch self {
    case .applicationDefault: return try machine.find(until: deadline)
    case .machine:
      if let found = try machine.find(until: deadline) { return found }
      return machine.hasGcloudAccount ? gcloud : nil
    case .metadataServer: return MetadataServer(network.environment)
    case .gcloud: return gcloud
    case .command(let line):
      return CommandCredentials(shell: line, timeout: network.programTimeout)
    case .file(let path):
      return try CredentialsFile.credentials(path: path, until: deadline, mayBeToken: true)
    }
  }
}

extension AccessTokenSource {
  private func warnings(about credentials: any GoogleCredentials, _ environment: Environment)
    -> [String]
  {
    let path: String? =
      switch self {
      case .applicationDefault, .machine: ApplicationDefaultCredentials(environment).path
      case .file(let path): path
      case .metadataServer, .gcloud, .command: nil
      }
    var warnings: [String] = []
    if let path, credentials.hasLastingSecret, let warning = Self.warning(aboutFile: path) {
      warnings.append(warning)
    }
    if credentials.isRepaired { warnings.append(Self.repair(of: credentials.name)) }
    return warnings
  }

  /// Returns the warning about a file that other users can read; nil for other files.
  static func warning(aboutFile path: String) -> String? {
    guard LocalFile.isShared(path) else { return nil }
    return "\(TokenError.shown(path)): other users can read these credentials: run chmod 600"
  }

  static func repair(of name: String) -> String {
    "\(name): the line ends of private_key were restored"
  }
}
