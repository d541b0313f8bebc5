/// The options for the connection to NATS.
enum RelayServerOptions {
  static let all: [Option<RelayServer>] = [
    .value(
      "nats", "URL", environment: "NATS_URL", .common,
      "connect to NATS at URL, nats://HOST[:PORT]\nSeparate the URLs of the servers of a"
        + " cluster with commas."
        + " tls:// requires TLS. Default: nats://127.0.0.1:4222.",
      parse: Parse.natsURL, store: { $0.url = $1 }
    ).inProfiles(),
    .value(
      "nats-creds", "FILE", .connection, "log in to NATS with the credentials in FILE",
      parse: Parse.text, store: { $0.credentialsFile = $1 }),
    .value(
      "nats-ca", "FILE", .connection, "trust the CA certificates in FILE for NATS",
      parse: Parse.text, store: { $0.trustFile = $1 }),
    .value(
      "nats-cert", "FILE", .connection, "present the client certificate in FILE to NATS",
      parse: Parse.text, store: { $0.certificateFile = $1 }),
    .value(
      "nats-key", "FILE", .connection,
      "use the private key in FILE with --nats-cert\nDefault: the file of --nats-cert.",
      parse: Parse.text, store: { $0.keyFile = $1 }),
  ]
}

extension RelayServer {
  /// An error if options contradict each other.
  var contradiction: UsageError? {
    keyFile != nil && certificateFile == nil ? .requirement(of: "--nats-key", "--nats-cert") : nil
  }
}

extension Parse {
  /// Parses one or more addresses of NATS. They may contain a password, so no error shows them.
  fileprivate static func natsURL(_ text: String) throws(BadValue) -> String {
    for address in text.split(separator: ",", omittingEmptySubsequences: false) {
      let isURL = ["nats://", "tls://"].contains {
        address.hasPrefix($0) && address.count > $0.count
      }
      guard isURL else {
        throw BadValue("expected nats://HOST[:PORT] or tls://HOST[:PORT]", mayBeShown: false)
      }
    }
    return text
  }
}
