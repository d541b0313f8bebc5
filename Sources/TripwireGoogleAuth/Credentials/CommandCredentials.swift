import Tripwire

/// Access tokens that a program prints.
struct CommandCredentials: GoogleCredentials {
  let name: String
  private let token: CommandToken

  /// `gcloud auth print-access-token`: the account that is logged in to gcloud.
  static let gcloud = CommandCredentials(
    name: "the account of gcloud",
    CommandToken(["gcloud", "auth", "print-access-token"], dependsOnContext: false))

  /// - Parameter line: for `sh -c`.
  init(shell line: String) {
    self.init(name: "the command", CommandToken(shell: line, dependsOnContext: false))
  }

  private init(name: String, _ token: CommandToken) {
    self.name = name
    self.token = token
  }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    try await token.token(for: .any)
  }
}
