package import Tripwire
import WireSystem

/// Access tokens that a program prints.
package struct CommandCredentials: GoogleCredentials {
  package let name: String
  private let token: CommandToken
  /// Nil for a line of the shell.
  private let program: String?
  package let member: IAMMember?

  /// `gcloud auth print-access-token`: the account that is logged in to gcloud.
  package static func gcloud(
    _ environment: Environment = .process, timeout: Duration = defaultTimeout
  ) -> CommandCredentials {
    CommandCredentials(
      name: "the account of gcloud",
      token: CommandToken(
        ["gcloud", "auth", "print-access-token"], dependsOnContext: false, timeout: timeout),
      program: "gcloud", member: GcloudConfiguration(environment: environment).member)
  }

  /// - Parameter line: for `sh -c`.
  package init(shell line: String, timeout: Duration = defaultTimeout) {
    self.init(
      name: "the command",
      token: CommandToken(shell: line, dependsOnContext: false, timeout: timeout), program: nil,
      member: nil)
  }

  private init(name: String, token: CommandToken, program: String?, member: IAMMember?) {
    self.name = name
    self.token = token
    self.program = program
    self.member = member
  }

  /// The longest time that a program runs.
  package static let defaultTimeout = Duration.seconds(60)

  package func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    if let program, !ExecutablePath.exists(program, in: Environment.process["PATH"]) {
      throw failure("is not in PATH", "install it, or use other credentials")
    }
    do {
      return try await token.token(for: .any)
    } catch TokenError.commandFailed(_, let reason) {
      throw failure(
        reason,
        program == nil
          ? "run it by hand: it must write a token to stdout and exit with code 0"
          : "log in again: gcloud auth login")
    }
  }

  private func failure(_ problem: String, _ action: String) -> TokenError {
    .endpointFailed(
      place: program ?? name, reason: TokenError.Reason(problem, action: action))
  }
}
