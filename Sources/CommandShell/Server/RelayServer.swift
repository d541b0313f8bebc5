package import CommandLine
import RelayAPI
import WireGRPC

/// The address of NATS and the credentials.
package struct RelayServer: Sendable {
  package var url: String?
  package var credentialsFile: String?
  package var trustFile: String?
  package var certificateFile: String?
  package var keyFile: String?
  package var inboxPrefix: String?
  package var domain: String?

  package init() {}
}

extension RelayServer {
  /// Warnings that are written before the connection is made.
  package var warnings: [String] {
    let key = keyFile.map { ("--nats-key", $0) } ?? certificateFile.map { ("--nats-cert", $0) }
    return [credentialsFile.map { ("--nats-creds", $0) }, key].compactMap { file in
      file.flatMap { PrivateKeyFile(option: $0, path: $1).warning }
    }
  }

  /// The options of the commands of `tripwire relay`.
  package static let relayOptions: [Option<RelayServer>] =
    [
      .value(
        "nats", "URL", environment: "NATS_URL", .common,
        "connect to NATS at URL, nats://HOST[:PORT]\nSeparate the URLs of the servers of a"
          + " cluster with commas."
          + " tls:// requires TLS. Default: nats://127.0.0.1:4222.",
        parse: Parse.natsURL, store: { $0.url = $1 }
      ).inProfiles(), domain.inProfiles(with: "nats"),
    ] + login

  /// The options of the commands that can receive resources from a relay.
  package static let fromOptions: [Option<RelayServer>] =
    [
      .value(
        "from", "URL", .connection,
        "receive states from a relay, nats://HOST[:PORT]\nRuns the helper program tripwire-relay,"
          + " which 'make install' builds if libnats is installed. The workers of the relay make the calls:"
          + " pass options for calls to 'tripwire relay work'.",
        parse: Parse.natsURL, store: { $0.url = $1 })
    ] + (login + [domain]).map { $0.requiring("from") }

  private static let domain = Option<RelayServer>.value(
    "nats-domain", "NAME", .connection,
    "use the streams of the JetStream domain NAME\nFor the clients of a leaf node, whose streams are in the domain of"
      + " another server. Default: the domain of the server that the command connects to.",
    parse: Parse.natsDomain, store: { $0.domain = $1 }
  ).inFullHelpOnly()

  private static let login: [Option<RelayServer>] = [
    .value(
      "nats-creds", "FILE", .connection, "log in to NATS with the credentials in FILE",
      parse: Parse.text, store: { $0.credentialsFile = $1 }
    ).inFullHelpOnly(),
    .value(
      "nats-ca", "FILE", .connection,
      "trust the CA certificates in FILE for NATS\nThe connection then has to use TLS, also with a nats:// URL.",
      parse: Parse.text, store: { $0.trustFile = $1 }
    ).inFullHelpOnly(),
    .value(
      "nats-cert", "FILE", .connection,
      "present the client certificate in FILE to NATS\nThe connection then has to use TLS, also with a nats:// URL.",
      parse: Parse.text, store: { $0.certificateFile = $1 }
    ).inFullHelpOnly(),
    .value(
      "nats-key", "FILE", .connection,
      "use the private key in FILE with --nats-cert\nDefault: the file of --nats-cert.",
      parse: Parse.text, store: { $0.keyFile = $1 }
    ).inFullHelpOnly().requiring("nats-cert"),
    .value(
      "nats-inbox", "PREFIX", .connection,
      "receive replies of NATS on subjects below PREFIX\nDefault: _INBOX. Users of one"
        + " account can receive each other's replies, unless each user has a PREFIX of its own and"
        + " NATS permits that user to subscribe only below it.",
      parse: Parse.inboxPrefix, store: { $0.inboxPrefix = $1 }
    ).inFullHelpOnly(),
  ]

  /// The options of the login that were given, with their values.
  private var given: [(option: String, value: String)] {
    [
      ("--nats-creds", credentialsFile), ("--nats-ca", trustFile),
      ("--nats-cert", certificateFile), ("--nats-key", keyFile),
      ("--nats-inbox", inboxPrefix), ("--nats-domain", domain),
    ].compactMap { option, value in value.map { (option, $0) } }
  }

  /// The arguments of `tripwire-relay` for reading from this server.
  package func readArguments(_ names: [String]) -> [String] {
    ["read"] + names + ["--nats", url ?? ""] + given.flatMap { [$0.option, $0.value] }
  }
}

extension Option {
  /// Returns the option, excluded by --from: the workers of the relay make the calls.
  package var excludedByFrom: Option {
    excluding(
      ["from"],
      hint: "remove --\(long), and pass it to the workers: tripwire relay work --\(long)")
  }
}

extension Parse {
  /// Parses one or more addresses of NATS. They may contain a password, so no error shows them.
  fileprivate static func natsURL(_ text: String) throws(InvalidValue) -> String {
    for url in NATSURL.list(text) {
      do throws(HostAndPort.Problem) {
        guard url.scheme == "nats" || url.scheme == "tls" else { throw .badHost }
        _ = try url.place()
      } catch {
        throw InvalidValue(
          error == .badPort
            ? "expected a port from 1 to 65535 after the host"
            : "expected nats://HOST[:PORT] or tls://HOST[:PORT]", mayBeShown: false)
      }
    }
    return text
  }

  fileprivate static func inboxPrefix(_ text: String) throws(InvalidValue) -> String {
    let tokens = text.split(separator: ".", omittingEmptySubsequences: false)
    guard tokens.allSatisfy(isToken) else {
      throw InvalidValue("expected a subject without wildcards, such as _INBOX_rider")
    }
    return text
  }

  fileprivate static func natsDomain(_ text: String) throws(InvalidValue) -> String {
    guard isToken(text), !text.contains(".") else {
      throw InvalidValue("expected the name of a domain without a dot or a wildcard, such as hub")
    }
    return text
  }

  /// Whether a text is a part of a subject, without wildcards.
  private static func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != 0x2A && $0 != 0x3E }
  }
}
