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
  private static func loadSystem(into context: OpaquePointer) throws(TLSError) {
    let file = unsafe environment(X509_get_default_cert_file_env())
    let directory = unsafe environment(X509_get_default_cert_dir_env())
    if let file {
      guard unsafe SSL_CTX_load_verify_file(context, file) == 1 else {
        throw TLSError(.local("cannot read SSL_CERT_FILE \(file): \(OpenSSLErrors.drain().text)"))
      }
    }
    if let directory { _ = unsafe SSL_CTX_load_verify_dir(context, directory) }
    if file != nil || directory != nil { return }

    let defaultDirectory = unsafe String(cString: X509_get_default_cert_dir())
    for directory in [defaultDirectory, "/etc/ssl/certs"] where isHashed(directory) {
      if unsafe SSL_CTX_load_verify_dir(context, directory) == 1 { return }
    }
    let defaultFile = unsafe String(cString: X509_get_default_cert_file())
    for file in [defaultFile] + bundles where unsafe SSL_CTX_load_verify_file(context, file) == 1 {
      return
    }
    OpenSSLErrors.clear()
    throw TLSError(
      .local(
        "found no root certificates of the system in \(defaultDirectory) or \(defaultFile): "
          + "install them (ca-certificates), or name them (SSL_CERT_FILE)"))
  }

  /// Where distributions and Homebrew keep the bundle.
  private static let bundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    "/opt/homebrew/etc/openssl@3/cert.pem", "/usr/local/etc/openssl@3/cert.pem",
  ]

  private static func environment(_ name: UnsafePointer<CChar>?) -> String? {
    guard let name = unsafe name, let value = unsafe getenv(name), unsafe value.pointee != 0 else {
      return nil
    }
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
