import Tripwire
import WireSystem

/// The credentials in a file that may change, for example by a new login.
final class CredentialsOfFile: GoogleCredentials {
  private let path: String
  private let last: Locked<(version: FileVersion?, credentials: any GoogleCredentials)>

  /// - Parameter credentials: as read from the file.
  init(path: String, _ credentials: any GoogleCredentials) {
    self.path = path
    last = Locked((try? FileVersion(of: path), credentials))
  }

  var current: any GoogleCredentials { last.withLock { $0.credentials } }

  var name: String { current.name }
  var quotaProjectID: String? { current.quotaProjectID }
  var isRepaired: Bool { current.isRepaired }
  var hasLastingSecret: Bool { current.hasLastingSecret }

  var member: IAMMember? { current.member }

  func latest() throws(TokenError) -> any GoogleCredentials {
    let version = try? FileVersion(of: path)
    if version != last.withLock({ $0.version }) {
      let credentials = try CredentialsFile.content(of: path)
      last.withLock { $0 = (version, credentials) }
    }
    return current
  }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    try await latest().accessToken(scope: scope, client)
  }
}
