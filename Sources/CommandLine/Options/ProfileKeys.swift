/// The options that a profile may contain.
package enum ProfileKeys {
  /// The long names of the options, sorted. Commands look them up here, because the tables of all options take
  /// long to build.
  package static let names = [
    "access-token", "attribution", "authority", "cacert", "cert", "color", "credentials", "crlfile",
    "endpoint", "error-format", "interval", "key", "leaflet", "max-message-size", "nats",
    "nats-domain", "output", "plaintext", "provider", "quota-project", "retries", "sign-as",
    "tiles", "timeout",
    "token-command", "token-file", "token-for-all",
  ]
}
