import WireProtobuf

/// The calls that an emulated fleet accepts.
package enum TokenPolicy: Sendable {
  /// With any token, or without one.
  case open
  /// With any token.
  case anyToken
  case checked(TokenGuard)

  func check(
    _ token: String?, for claim: () -> TokenClaim, at now: Timestamp
  ) throws(EngineError) {
    switch self {
    case .open: break
    case .anyToken: if token == nil { throw .missingToken }
    case .checked(let tokens): try tokens.check(token, for: claim(), at: now)
    }
  }
}
