import CommandLine
package import WireSystem
package import WireTLS

// Errors about files that an option or a variable names.

extension ErrorReport {
  /// - Parameters:
  ///   - option: without its dashes.
  ///   - path: of the file; `-` is standard input.
  package init(_ option: String, _ path: String, _ error: FileReadError) {
    self.init(
      local: escaped("--\(option): \(LocalFile.name(of: path)): \(error)"), of: "--\(option)",
      hint: Self.hint(for: error, "--\(option)"), error)
  }

  /// A file of a TLS connection.
  ///
  /// - Parameters:
  ///   - name: of the option or the variable: "--cacert", "SSL_CERT_FILE".
  ///   - keyOption: the option for a private key.
  package init(_ fault: TLSInputFault, name: String, keyOption: String) {
    self.init(
      local: escaped(fault.description(as: name)), of: name,
      hint: Self.hint(for: fault.fault, name, keyOption, path: fault.path.map(shellWord)))
    if case .unreadable(let error) = fault.fault { cause = .file(error) }
  }

  /// A file of a TLS connection, with the options of a command that calls a server.
  init(_ fault: TLSInputFault) {
    let name =
      switch fault.input {
      case .systemRoots: "SSL_CERT_FILE"
      case .roots: "--cacert"
      case .certificate: "--cert"
      case .privateKey: "--key"
      case .revocationLists: "--crlfile"
      case .keyLog: "--keylog"
      }
    self.init(fault, name: name, keyOption: "--key")
  }

  /// Returns the hint for files of which one does not exist or must not be read; nil if neither holds.
  ///
  /// - Parameters:
  ///   - paths: of the files; `-` is standard input.
  ///   - name: the option or the variable that names the files; nil for the operand FILE.
  package static func accessHint(for paths: [String], in name: String? = nil) -> String? {
    let files = paths.filter { $0 != "-" }
    if !files.allSatisfy(LocalFile.exists) {
      return "check the path \(name.map { "in \($0)" } ?? "of FILE")"
    }
    guard files.contains(where: LocalFile.isForbidden) else { return nil }
    return "check the permissions of \(name.map { "the file in \($0)" } ?? "FILE")"
  }

  package static func hint(for error: FileReadError, _ name: String) -> String? {
    switch error {
    case .system(.noSuchFile): "check the path in \(name)"
    case .system(.isADirectory): "pass a file, not a directory, with \(name)"
    case .system(let code) where code.rawValue == EBADF: "redirect a file or a pipe to stdin"
    case .system: "check the type and the permissions of the file in \(name)"
    case .tooLarge: "check that \(name) names the right file"
    case .tooLate, .canceled: error.hint
    }
  }

  /// - Parameter path: for a shell.
  package static func hint(
    for fault: PEMFault, _ name: String, _ keyOption: String, path: String? = nil
  ) -> String? {
    switch fault {
    case .unreadable(let error): hint(for: error, name)
    case .noCertificate: "check that \(name) names a PEM file with certificates"
    case .noPrivateKey: "pass the private key with \(keyOption) FILE"
    case .noKeyLog: "choose another file for \(name)"
    case .noRevocationList: "check that \(name) names a PEM file with revocation lists"
    case .otherKey: "pass the private key of the certificate with \(keyOption) FILE"
    case .binary(let format):
      path.map { "convert it to PEM: \(format.conversion(of: $0))" } ?? fault.cure
    case .encrypted: fault.cure
    case .invalid: "pass a valid PEM file with \(name)"
    }
  }
}
