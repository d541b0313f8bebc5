import FleetEngineAPI
package import Tripwire
import WireGRPC
import WireGRPCServer
import WireProtobuf
import WireSystem

/// Checks the tokens of calls as Fleet Engine does: signature, account, audience, times and claims.
///
/// UNAUTHENTICATED is for tokens that are missing, have expired, were issued in the future or lack the claim of the
/// method, PERMISSION_DENIED for all others (https://developers.google.com/maps/documentation/mobility/journey-sharing/on-demand/ios/handle-errors).
package final class TokenGuard: Sendable {
  private static let longestLifetime = 3_600.0
  /// How far the clock of the signer may be ahead, in seconds.
  private static let skew = 600.0

  private static let mostVerified = 1_000

  private let account: ServiceAccountKey
  /// Tokens with a valid signature.
  private let verified = Locked<Set<String>>([])

  private var email: String { account.clientEmail }

  /// - Parameter account: the service account whose tokens are accepted.
  package init(_ account: ServiceAccountKey) { self.account = account }

  /// - Parameter token: without "Bearer "; nil for none.
  /// - Throws: UNAUTHENTICATED or PERMISSION_DENIED.
  func check(_ token: String?, for claim: TokenClaim, at now: Timestamp) throws(EngineError) {
    guard let token else { throw .missingToken }
    let jwt: JSONWebToken
    do throws(JSONWebToken.Problem) {
      jwt = try JSONWebToken(token)
    } catch {
      throw .denied("the token is not a JWT: \(error.description)")
    }
    guard jwt.header.text("alg") == "RS256", isSigned(token, jwt) else {
      throw .denied("the token is not signed by \(email) with RS256")
    }
    for name in ["iss", "sub"] where jwt.claims.text(name) != email {
      throw .denied("the claim \(name) of the token is not \(email)")
    }
    guard jwt.header.text("kid") == account.privateKeyID else {
      throw .denied("the kid of the token is not that of the key of \(email)")
    }
    // RFC 7519 §4.1.3 allows a list.
    let audiences = jwt.claims.texts("aud") + [jwt.claims.text("aud")].compactMap(\.self)
    guard audiences.contains(ServiceAccountKey.audience) else {
      throw .denied("the claim aud of the token is not \(ServiceAccountKey.audience)")
    }
    try checkTimes(of: jwt.claims, at: now.secondsSince1970)
    guard let permissions = jwt.claims.object("authorization") else {
      throw .denied("the token has no claim authorization")
    }
    try check(permissions, claim)
  }

  /// Verifying a signature takes longer than the rest of a call, so that valid tokens are remembered.
  private func isSigned(_ token: String, _ jwt: JSONWebToken) -> Bool {
    if verified.withLock({ $0.contains(token) }) { return true }
    guard account.hasSigned(jwt) else { return false }
    verified.withLock { verified in
      if verified.count >= Self.mostVerified { verified = [] }
      verified.insert(token)
    }
    return true
  }

  private func checkTimes(of claims: Struct, at now: Double) throws(EngineError) {
    guard let issued = claims.fields["iat"]?.numberValue,
      let expires = claims.fields["exp"]?.numberValue
    else { throw .denied("the token lacks the claim iat or exp") }
    if let start = claims.fields["nbf"]?.numberValue, start > now {
      throw .denied("the token is not valid yet")
    }
    guard expires > now else { throw .unauthenticated(.expired, "the token has expired") }
    guard issued <= now + Self.skew else {
      throw .unauthenticated(.missing, "the token was issued in the future")
    }
    guard expires - issued <= Self.longestLifetime else {
      throw .denied("the token is valid for more than an hour")
    }
  }

  private func check(_ claims: Struct, _ claim: TokenClaim) throws(EngineError) {
    guard let value = claims.fields[claim.name] else {
      throw .unauthenticated(.missing, "the token has no claim authorization.\(claim.name)")
    }
    switch claim {
    case .one(let kind, let id):
      guard let allowed = value.stringValue, ["*", id].contains(allowed) else {
        throw .denied(
          "authorization.\(claim.name) of the token does not allow the \(kind.noun) \(id)")
      }
    case .all(let kind):
      guard value.stringValue == "*" else {
        throw .denied(
          "authorization.\(claim.name) of the token must be * for all \(kind.plural)")
      }
    case .tasks(let ids):
      guard let list = value.listValue else {
        throw .denied("authorization.\(claim.name) of the token is not a list")
      }
      let allowed = Set(list.values.compactMap(\.stringValue))
      guard allowed.contains("*") || allowed.isSuperset(of: ids) else {
        throw .denied("authorization.\(claim.name) of the token does not contain all tasks")
      }
    }
  }
}

extension EngineError {
  enum TokenReason: String {
    case missing = "CREDENTIALS_MISSING"
    case expired = "ACCESS_TOKEN_EXPIRED"
  }

  static var missingToken: Self { Self(.tokenIsMissing) }

  static func unauthenticated(_ reason: TokenReason, _ message: String) -> Self {
    refused(.unauthenticated, reason.rawValue, message)
  }

  static func denied(_ message: String) -> Self {
    refused(.permissionDenied, "IAM_PERMISSION_DENIED", message)
  }

  private static func refused(_ code: StatusCode, _ reason: String, _ message: String) -> Self {
    Self(.refusedToken(code, reason, message))
  }
}
