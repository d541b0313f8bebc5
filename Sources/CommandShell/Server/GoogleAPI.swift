import CommandLine

/// A Google API other than Fleet Engine's, which a command calls with the same options.
package struct GoogleAPI: Sendable {
  /// "logging.googleapis.com"
  package let host: String

  package init(host: String) { self.host = host }

  /// The variables that name a server or a token of Fleet Engine.
  static let unusedVariables: Set = [
    EndpointSource.variableName, "TRIPWIRE_PLAINTEXT", "TRIPWIRE_TOKEN", "TRIPWIRE_SIGN_AS",
  ]

  var endpoint: String { "\(host):443" }

  /// The audience of tokens that a service account's key signs.
  var audience: String { "https://\(host)/" }
}

extension ServerOptions {
  /// Returns the options for calls to an API. A profile that names a server or a token of Fleet Engine does not apply
  /// to it.
  ///
  /// - Throws: an error if an option names a token that only Fleet Engine accepts.
  func calling(_ api: GoogleAPI) throws(UsageError) -> ServerOptions {
    var options = self
    options.connection.api = api
    if sources["endpoint"] != .option {
      options.connection.endpoint = api.endpoint
      options.connection.authority = sources["authority"] == .option ? connection.authority : nil
      if sources["plaintext"] != .option { options.tls.isPlaintext = false }
      options.sources["endpoint"] = nil
      options.token.usesDefault = true
    }
    guard sources["sign-as"] != .option else {
      throw UsageError(
        message: "--sign-as signs tokens for Fleet Engine only, which \(api.host) does not accept",
        options: ["sign-as"],
        hint:
          "pass an access token with --access-token, or a service account's key with --credentials")
    }
    options.token.signers = nil
    if sources["token-file"] != .option { options.token.file = nil }
    if sources["token-command"] != .option { options.token.command = nil }
    return options
  }
}
