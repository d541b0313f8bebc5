import COpenSSL

/// Root certificates, read once for all contexts that trust them.
enum Roots: Sendable {
  /// Every certificate of a given text.
  case text(PEMText)
  case system(RootLookup)

  /// - Parameter deadline: when to give up waiting for the writer of a pipe.
  init(
    _ trust: TLSConfiguration.Trust, _ system: SystemRoots,
    until deadline: ContinuousClock.Instant?
  ) throws(TLSError) {
    self =
      switch trust {
      case .system: .system(try Self.lookup(system, until: deadline))
      case .file(let path): .text(try PEMText(.file(path), .roots, until: deadline))
      case .pem(let bytes): .text(try PEMText(.pem(bytes), .roots, until: deadline))
      }
  }

  private static func lookup(
    _ system: SystemRoots, until deadline: ContinuousClock.Instant?
  ) throws(TLSError) -> RootLookup {
    let directories =
      system.directory?.split(separator: ":").map { CertificateDirectory(path: String($0)) } ?? []
    if let file = system.file {
      let text = try PEMText(.file(file), .systemRoots, until: deadline)
      let bundle = try text.parsed { bytes throws(PEMFault) in
        let bundle = CertificateBundle(bytes)
        if bundle.isEmpty { throw .noCertificate }
        return bundle
      }
      return RootLookup(bundle, directories)
    }
    if !directories.isEmpty { return RootLookup(nil, directories) }
    if let path = system.hashedDirectory {
      return RootLookup(nil, [CertificateDirectory(path: path)])
    }
    for file in system.bundles {
      let text = try? PEMText(.file(file), .systemRoots, until: .now)
      guard let bundle = text.map({ CertificateBundle($0.bytes) }), !bundle.isEmpty else {
        continue
      }
      return RootLookup(bundle)
    }
    let places = (system.directories + system.bundles).joined(separator: ", ")
    throw TLSError(
      .local(
        "no system root certificates found in \(places): "
          + "install ca-certificates or set SSL_CERT_FILE"))
  }

  /// Adds the roots to an SSL_CTX. The system's roots are left to the returned lookup; see
  /// `PeerVerification.verify`.
  func load(into context: OpaquePointer) throws(TLSError) -> RootLookup? {
    switch self {
    case .system(let lookup):
      return lookup
    case .text(let text):
      let store = unsafe SSL_CTX_get_cert_store(context)
      try text.parsed { bytes throws(PEMFault) in
        for root in try PEM.certificates(bytes)
        where unsafe X509_STORE_add_cert(store, root.pointer) != 1 {
          throw .invalid(OpenSSLErrors.drain().text)
        }
      }
      // A listed certificate is trusted as such, also an intermediate or the server's own.
      _ = unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
      return nil
    }
  }
}
