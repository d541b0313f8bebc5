import Tripwire
import WireGRPC

extension JWTSigner {
  private static let place = "the signer iamcredentials.googleapis.com"

  /// Returns the error for the calls that need the token, in place of that of the call to the signer. The status of the
  /// signer would look like one of Fleet Engine.
  func failure(_ error: CallError, account: String) async -> any Error {
    // There was no access token.
    if error.origin == .local { return error.underlyingError as? TokenError ?? error }
    let isTemporary = error.kind != .client || error.code == .resourceExhausted
    let message = "\(error.code): \(error.message.shortened(to: 300))"
    guard !isTemporary else {
      var failure = CallError(
        code: error.code, message: "\(Self.place): \(message)", origin: .local)
      // The time after which to try again.
      failure.details = error.details
      return failure
    }
    return TokenError.endpointFailed(
      place: Self.place,
      reason: TokenError.Reason(
        "did not sign as \(account): \(message)", action: await action(error, account)))
  }

  private func action(_ error: CallError, _ account: String) async -> String {
    let reasons = error.details.compactMap { detail in
      if case .errorInfo(let info) = detail { info.reason } else { nil }
    }
    if reasons.contains("SERVICE_DISABLED") {
      return "enable its API: gcloud services enable iamcredentials.googleapis.com"
    }
    return switch error.code {
    case .permissionDenied:
      Self.grant(to: try? await accessTokens.credentials.account(accessTokens.client), on: account)
    case .notFound: "check the address of the account"
    case .unauthenticated: "get other credentials: those of the access token are not accepted"
    default: "check the account, and the delegates in their order"
    }
  }

  /// The action that grants the role to act as a service account.
  ///
  /// - Parameter member: the account that asks; nil for a person.
  static func grant(to member: String?, on account: String) -> String {
    "grant the role Service Account Token Creator: gcloud iam service-accounts add-iam-policy-binding"
      + " \(account) --member=\(member.map { "serviceAccount:\($0)" } ?? "user:YOU")"
      + " --role=roles/iam.serviceAccountTokenCreator"
  }
}
