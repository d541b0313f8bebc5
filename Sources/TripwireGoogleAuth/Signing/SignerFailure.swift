import Tripwire
import WireGRPC

extension JWTSigner {
  /// Returns the error for the calls that need the token, in place of that of the call to the signer. The status of the
  /// signer would look like one of Fleet Engine.
  func failure(_ error: CallError, account: String) -> any Error {
    // There was no access token, or no connection.
    if error.origin == .local {
      guard let reason = error.underlyingError as? TokenError else { return error }
      guard error.kind != .client else {
        return error.details.isEmpty ? reason : CallError(reason, error.details)
      }
      var failure = CallError(code: error.code, message: reason.problem, origin: .local)
      failure.underlyingError = reason
      return failure
    }
    let message = "\(error.code): \(error.message.shortened(to: 300))"
    guard error.kind == .client, error.code != .resourceExhausted else {
      var failure = CallError(
        code: error.code, message: "\(SignJWTTokens.name): \(message)", origin: .local)
      // The time after which to try again.
      failure.details = error.details
      return failure
    }
    let refusal = TokenError.endpointFailed(
      place: SignJWTTokens.name,
      reason: TokenError.Reason(
        "did not sign as \(account): \(message)", action: action(error.code, account)))
    return CallError(
      refusal, delegates.isEmpty ? error.details.map { $0.about(account) } : error.details)
  }

  /// The action, unless the signer gives a reason.
  private func action(_ code: StatusCode, _ account: String) -> String {
    switch code {
    case .permissionDenied:
      Self.grant(on: account, to: accessTokens.credentials.member, through: delegates)
    case .notFound: "check the address of the account"
    case .unauthenticated: "get other credentials: the access token is not accepted"
    default: "check the account, and the delegates in their order"
    }
  }

  /// The action that grants the role to act as a service account.
  static func grant(
    on account: String, to member: IAMMember?, through delegates: [String]
  ) -> String {
    guard delegates.isEmpty else {
      return
        "grant each account the role Service Account Token Creator on the next one, from the caller to \(account)"
    }
    return
      "grant the role Service Account Token Creator: gcloud iam service-accounts add-iam-policy-binding"
      + " \(account) --member=\(member?.description ?? "PRINCIPAL") --role=roles/iam.serviceAccountTokenCreator"
  }
}

extension ErrorDetail {
  /// Adds the account for which a permission is missing, if the signer does not name it.
  fileprivate func about(_ account: String) -> ErrorDetail {
    guard case .errorInfo(var info) = self, info.metadata["permission"] != nil,
      info.metadata["resource"] == nil
    else { return self }
    info.metadata["resource"] = JWTSigner.name(of: account)
    return .errorInfo(info)
  }
}
