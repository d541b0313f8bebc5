import COpenSSL

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Fills an SSL_CTX with root certificates.
enum TrustStore {
  static func load(_ trust: TLSConfiguration.Trust, into context: OpaquePointer) throws(TLSError) {
    OpenSSLErrors.clear()
    switch trust {
    case .system:
      try unsafe loadSystem(into: context)
    case .file(let path):
      guard unsafe SSL_CTX_load_verify_file(context, path) == 1 else {
        throw TLSError(
          .local("cannot read certificates from \(path): \(OpenSSLErrors.drain().text)"))
      }
      unsafe trustEveryCertificate(of: context)
    case .pem(let text):
      let roots = try PEM.certificates(text, "the root certificates")
      let store = unsafe SSL_CTX_get_cert_store(context)
      guard roots.allSatisfy({ unsafe X509_STORE_add_cert(store, $0.pointer) == 1 }) else {
        throw TLSError(.local("cannot trust a certificate: \(OpenSSLErrors.drain().text)"))
      }
      unsafe trustEveryCertificate(of: context)
    }
  }

  /// What a user lists is trusted as such, also an intermediate or the server's own certificate.
  private static func trustEveryCertificate(of context: OpaquePointer) {
    _ = unsafe X509_STORE_set_flags(
      SSL_CTX_get_cert_store(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
  }

  /// A hashed directory is read one certificate at a time, when a chain asks for it; parsing a whole
  /// bundle takes longer than all the rest of a handshake. So the bundle comes last.
  static func loadSystem(
    into context: OpaquePointer, environment: (String) -> String? = Self.environment,
    directories: [String] = Self.directories, bundles: [String] = Self.bundles
  ) throws(TLSError) {
    let file = environment("SSL_CERT_FILE")
    let directory = environment("SSL_CERT_DIR")
    if let file {
      guard unsafe SSL_CTX_load_verify_file(context, file) == 1 else {
        throw TLSError(.local("cannot read SSL_CERT_FILE \(file): \(OpenSSLErrors.drain().text)"))
      }
    }
    if let directory { _ = unsafe SSL_CTX_load_verify_dir(context, directory) }
    if file != nil || directory != nil { return }

    for directory in directories where isHashed(directory) {
      if unsafe SSL_CTX_load_verify_dir(context, directory) == 1 { return }
    }
    for file in bundles where unsafe SSL_CTX_load_verify_file(context, file) == 1 { return }
    OpenSSLErrors.clear()
    let places = (directories + bundles).joined(separator: ", ")
    throw TLSError(
      .local(
        "found no root certificates of the system: looked in \(places); "
          + "install them (ca-certificates) or name them in SSL_CERT_FILE"))
  }

  /// OpenSSL's own, and where distributions keep certificates under hashed names.
  private static let directories = [
    unsafe String(cString: X509_get_default_cert_dir()), "/etc/ssl/certs",
  ]

  /// OpenSSL's own, and where distributions and Homebrew keep the bundle.
  private static let bundles = [
    unsafe String(cString: X509_get_default_cert_file()), "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    "/opt/homebrew/etc/openssl@3/cert.pem", "/usr/local/etc/openssl@3/cert.pem",
  ]

  /// A variable that is set to something.
  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// Whether the directory has an entry as c_rehash names them: eight hexadecimal digits and ".0".
  private static func isHashed(_ directory: String) -> Bool {
    guard let stream = unsafe opendir(directory) else { return false }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let isMatch = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
        let name = unsafe name.prefix { $0 != 0 }
        return unsafe name.count == 10 && name.suffix(2).elementsEqual(".0".utf8)
          && name.prefix(8).allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
      }
      if isMatch { return true }
    }
    return false
  }
}
