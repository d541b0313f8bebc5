package import CommandLine
import Tripwire
import WireSystem

package struct TLSOptions: Sendable {
  package var isPlaintext = false
  var trustFile: String?
  var skipsVerification = false
  var certificateFile: String?
  var keyFile: String?
  var revocationFile: String?
  package var keyLogFile: String?

  package init() {}

  var trust: TLSConfiguration.Trust { trustFile.map { .file($0) } ?? .system }

  var security: ChannelConfiguration.Security {
    guard !isPlaintext else { return .plaintext }
    var tls = TLSConfiguration(trust: trust)
    if skipsVerification { tls.verification = .none }
    if let file = certificateFile {
      tls.identity = TLSConfiguration.Identity(
        certificate: .file(file), privateKey: .file(keyFile ?? file))
    }
    tls.revocationLists = revocationFile.map { .file($0) }
    tls.keyLogFile = keyLogFile
    return .tls(tls)
  }

  /// Warnings that are written before the call.
  package var warnings: [String] {
    var warnings: [String] = []
    if skipsVerification {
      warnings.append("the server's certificate is not verified (--insecure-skip-verify)")
    }
    let key = keyFile.map { ("--key", $0) } ?? certificateFile.map { ("--cert", $0) }
    if let (option, path) = key, let warning = PrivateKeyFile(option: option, path: path).warning {
      warnings.append(warning)
    }
    if let keyLogFile, LocalFile.isShared(keyLogFile) {
      warnings.append(Self.sharedKeyLog(keyLogFile))
    }
    return warnings
  }

  package static func sharedKeyLog(_ path: String) -> String {
    "--keylog \(path): other users can read or write it: run chmod 600"
  }

  /// Returns a function that warns once that the file of --keylog cannot be written; nil without the option.
  func keyLogFailed(
    _ warn: @escaping @Sendable (String) -> Void
  ) -> (@Sendable (IOError.Code) -> Void)? {
    guard let keyLogFile else { return nil }
    let isReported = Locked(false)
    return { code in
      let isFirst = isReported.withLock { isReported in
        defer { isReported = true }
        return !isReported
      }
      if isFirst { warn("--keylog: cannot write \(keyLogFile): \(code)") }
    }
  }

  /// The options for the connections to Google's servers of tokens.
  package static let ofSigners = all.filter { $0.long == "cacert" }

  static let all: [Option<TLSOptions>] = [
    .flag(
      "plaintext", environment: "TRIPWIRE_PLAINTEXT",
      meaning:
        "if true, disables TLS for the server in TRIPWIRE_ENDPOINT; if false, enables TLS for that server and for"
        + " the server of the profile\nNot used with --endpoint.",
      .connection,
      "use HTTP/2 without TLS\nAnyone on the network path can then read the token and change the data.",
      store: { $0.isPlaintext = true }
    ).inProfiles(with: "endpoint"),
    .value(
      "cacert", "FILE", .connection,
      "trust the CA certificates in this PEM file\nReplaces the CA certificates of the system.",
      parse: Parse.text, store: { $0.trustFile = $1 }
    ).inProfiles().excluding(["plaintext"]),
    .flag(
      "insecure-skip-verify", short: "k", .connection,
      "do not verify the server's certificate\nAnyone on the network path can then read the token and"
        + " change the data.",
      store: { $0.skipsVerification = true }
    ).inFullHelpOnly().excluding(["plaintext"]),
    .value(
      "cert", "FILE", .connection,
      "present the client certificate in this PEM file",
      parse: Parse.text, store: { $0.certificateFile = $1 }
    ).inFullHelpOnly().inProfiles().excluding(["plaintext"]),
    .value(
      "key", "FILE", .connection,
      "use the private key in this PEM file with --cert\nDefault: the file of --cert.",
      parse: Parse.text, store: { $0.keyFile = $1 }
    ).inFullHelpOnly().inProfiles().requiring("cert"),
    .value(
      "crlfile", "FILE", .connection,
      "reject certificates listed in the CRLs of this PEM file",
      parse: Parse.text, store: { $0.revocationFile = $1 }
    ).inFullHelpOnly().inProfiles().excluding(["plaintext", "insecure-skip-verify"]),
    .value(
      "keylog", "FILE", .connection,
      "append the TLS secrets to FILE, for Wireshark\nAnyone with this file can decrypt the traffic.",
      parse: Parse.text, store: { $0.keyLogFile = $1 }
    ).inFullHelpOnly().writing(.concurrentOutput).excluding(["plaintext"]),
  ]
}
