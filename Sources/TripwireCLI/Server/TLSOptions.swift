import Tripwire

/// How the connection is secured.
struct TLSOptions: Sendable {
  var isPlaintext = false
  var trustFile: String?
  var skipsVerification = false
  var certificateFile: String?
  var keyFile: String?
  var revocationFile: String?
  var keyLogFile: String?

  var security: ChannelConfiguration.Security {
    guard !isPlaintext else { return .plaintext }
    var tls = TLSConfiguration()
    if let file = trustFile { tls.trust = .file(file) }
    if skipsVerification { tls.verification = .none }
    if let file = certificateFile {
      tls.identity = TLSConfiguration.Identity(
        certificate: .file(file), privateKey: .file(keyFile ?? file))
    }
    tls.revocationLists = revocationFile.map { .file($0) }
    tls.keyLogFile = keyLogFile
    return .tls(tls)
  }

  /// What the user should know before it is done.
  var warnings: [String] {
    skipsVerification
      ? ["the server's certificate is not checked (--insecure-skip-verify)"] : []
  }

  /// The name of an option that is given, or nil.
  var given: String? {
    let options = [
      ("plaintext", isPlaintext), ("cacert", trustFile != nil),
      ("insecure-skip-verify", skipsVerification), ("cert", certificateFile != nil),
      ("key", keyFile != nil), ("crlfile", revocationFile != nil), ("keylog", keyLogFile != nil),
    ]
    return options.first(where: \.1)?.0
  }

  /// Two options that contradict each other, or nil.
  var contradiction: UsageError? {
    if keyFile != nil, certificateFile == nil {
      return UsageError(message: "--key: whose key is it? Name the certificate with --cert")
    }
    if revocationFile != nil, skipsVerification {
      return UsageError(message: "--crlfile: nothing is verified with --insecure-skip-verify")
    }
    guard isPlaintext else { return nil }
    let idle = [
      ("cert", certificateFile != nil), ("crlfile", revocationFile != nil),
      ("keylog", keyLogFile != nil),
    ]
    if let (option, _) = idle.first(where: \.1) {
      return UsageError(message: "--\(option): there is no TLS with --plaintext")
    }
    if trustFile != nil {
      return UsageError(message: "--cacert: there is no certificate to check with --plaintext")
    }
    if skipsVerification {
      return UsageError(
        message: "--insecure-skip-verify: there is nothing to verify with --plaintext")
    }
    return nil
  }

  static let all: [Option<TLSOptions>] = [
    .flag(
      "plaintext", .connection, "speak HTTP/2 without TLS",
      store: { $0.isPlaintext = true }),
    .value(
      "cacert", "FILE", .connection,
      "trust the certificates in this PEM file instead of the system's",
      parse: Parse.text, store: { $0.trustFile = $1 }),
    .flag(
      "insecure-skip-verify", .connection,
      "go on whatever the server's certificate says: anyone in between can then read the token",
      store: { $0.skipsVerification = true }),
    .value(
      "cert", "FILE", .connection,
      "show the certificate in this PEM file to a server that asks who the client is",
      parse: Parse.text, store: { $0.certificateFile = $1 }),
    .value(
      "key", "FILE", .connection,
      "the PEM file with the private key of --cert; that of --cert itself if not given",
      parse: Parse.text, store: { $0.keyFile = $1 }),
    .value(
      "crlfile", "FILE", .connection,
      "refuse certificates that the lists in this PEM file revoke",
      parse: Parse.text, store: { $0.revocationFile = $1 }),
    .value(
      "keylog", "FILE", .connection,
      "append the connection's secrets to FILE, for Wireshark: who has it can read the token",
      parse: Parse.text, store: { $0.keyLogFile = $1 }),
  ]
}
