/// The members of IAM behind the tokens of a provider, as far as they are known.
package struct TokenPrincipals: Sendable {
  /// The owner of the tokens, who calls the server.
  package var caller: IAMMember?
  /// The member that requests them.
  package var requester: IAMMember?
  /// The service accounts whose tokens are requested, and the member that needs the role Service Account Token Creator
  /// on each.
  package var links: [(account: String, creator: IAMMember?)] = []

  package init() {}

  init(caller: IAMMember?, requester: IAMMember?, accounts: [String] = []) {
    self.caller = caller
    self.requester = requester
    var creator = requester
    for account in accounts {
      links.append((account, creator))
      creator = .serviceAccount(account)
    }
  }

  /// Returns the link to an account, or the only one for nil; nil if it is unknown.
  package func link(to account: String?) -> (account: String, creator: IAMMember?)? {
    guard let account else { return links.count == 1 ? links[0] : nil }
    return links.first { $0.account == account }
  }
}

extension AccessTokens {
  package var principals: TokenPrincipals {
    guard let own = credentials.current as? ImpersonatedServiceAccount else {
      return TokenPrincipals(caller: credentials.member, requester: credentials.member)
    }
    return TokenPrincipals(
      caller: own.member, requester: own.source.member,
      accounts: (own.delegates + [own.target]).map(JWTSigner.address(in:)))
  }
}

extension SignJWTTokens {
  package var principals: TokenPrincipals {
    let account = signer.knownAccount
    var principals = TokenPrincipals(
      caller: account.map { .serviceAccount($0) }, requester: credentials.member,
      accounts: signer.delegates.map(JWTSigner.address(in:)) + [account].compactMap(\.self))
    principals.links += signer.accessTokens.principals.links
    return principals
  }
}
