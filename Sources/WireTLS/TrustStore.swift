import COpenSSL

/// Fills an SSL_CTX with root certificates.
enum TrustStore {
  /// The certificates that are only parsed when a chain asks for them are returned; see
  /// `PeerVerification.verify`.
  static func load(
    _ trust: TLSConfiguration.Trust, _ system: SystemRoots, into context: OpaquePointer
  ) throws(TLSError) -> CertificateBundle? {
    OpenSSLErrors.clear()
    switch trust {
    case .system:
      return try unsafe load(system, into: context)
    case .file(let path):
      guard unsafe SSL_CTX_load_verify_file(context, path) == 1 else {
        throw TLSError(
          .local("cannot read certificates from \(path): \(OpenSSLErrors.drain().text)"))
      }
    case .pem(let text):
      let roots = try PEM.certificates(text, "the root certificates")
      let store = unsafe SSL_CTX_get_cert_store(context)
      guard roots.allSatisfy({ unsafe X509_STORE_add_cert(store, $0.pointer) == 1 }) else {
        throw TLSError(.local("cannot trust a certificate: \(OpenSSLErrors.drain().text)"))
      }
    }
    // What a user lists is trusted as such, also an intermediate or the server's own certificate.
    _ = unsafe X509_STORE_set_flags(
      SSL_CTX_get_cert_store(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    return nil
  }

  private static func load(
    _ system: SystemRoots, into context: OpaquePointer
  ) throws(TLSError) -> CertificateBundle? {
    // OpenSSL looks into a hashed directory when a chain asks for a certificate.
    if let directory = system.directory { _ = unsafe SSL_CTX_load_verify_dir(context, directory) }
    if let file = system.file {
      let bundle = CertificateBundle(try PEM.read(file, "SSL_CERT_FILE"))
      guard !bundle.isEmpty else {
        throw TLSError(.local("SSL_CERT_FILE \(file) has no PEM certificate"))
      }
      return bundle
    }
    if system.directory != nil { return nil }
    if let directory = system.hashedDirectory,
      unsafe SSL_CTX_load_verify_dir(context, directory) == 1
    {
      return nil
    }
    for file in system.bundles {
      guard let text = try? PEM.read(file, "the roots") else { continue }
      let bundle = CertificateBundle(text)
      if !bundle.isEmpty { return bundle }
    }
    let places = (system.directories + system.bundles).joined(separator: ", ")
    throw TLSError(
      .local(
        "found no root certificates of the system: looked in \(places); "
          + "install them (ca-certificates) or name them in SSL_CERT_FILE"))
  }
}
