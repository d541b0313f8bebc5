import Tripwire
import WireProtobuf

/// An access token that somebody else requested. If it comes from a file, the file is read for each new token.
struct AccessTokenText: GoogleCredentials {
  let name: String
  private let token: AuthToken
  /// Nil if the source can be read only once.
  private let path: String?

  /// - Parameters:
  ///   - text: the content of the source.
  ///   - path: the file; nil if it can be read only once.
  init(_ text: ArraySlice<UInt8>, origin: String, path: String?) throws(TokenError) {
    let token = String(decoding: text, as: UTF8.self)
    try mapError(TokenError.check(token)) { (error: TokenError) in
      TokenError.unreadable(path: origin, reason: TokenError.Reason(error))
    }
    self.token = AuthToken(token)
    self.path = path
    name = "the access token in \(TokenError.shown(origin))"
  }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    guard let path else { return token }
    return AuthToken(try FileToken.token(in: path))
  }
}
