package import Tripwire
import WireSystem

/// Access tokens that a program prints.
package struct CommandCredentials: GoogleCredentials {
  package let name: String
  private let token: CommandToken
  /// Nil for a line of the shell.
  private let program: String?

  /// `gcloud auth print-access-token`: the account that is logged in to gcloud.
  package static let gcloud = CommandCredentials(
    name: "the account of gcloud",
    token: CommandToken(["gcloud", "auth", "print-access-token"], dependsOnContext: false),
    program: "gcloud")

  /// - Parameter line: for `sh -c`.
  package init(shell line: String) {
    self.init(
      name: "the command", token: CommandToken(shell: line, dependsOnContext: false), program: nil)
  }

  private init(name: String, token: CommandToken, program: String?) {
    self.name = name
    self.token = token
    self.program = program
  }

  package func person() async -> String? {
    guard let program else { return nil }
    let output = try? await TokenProgram(
      name: program, arguments: [program, "config", "get-value", "account"], variables: [:],
      timeout: .seconds(5)
    ).output()
    let address = String(decoding: output?.trimmingWhitespace() ?? [], as: UTF8.self)
    return AccountAddress.isValid(address) ? address : nil
  }

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
