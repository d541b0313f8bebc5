import COpenSSL
import CWireShims

/// A certificate chain, the certificate itself first, and its private key.
struct Identity {
  private let certificate: PEMText
  private let privateKey: PEMText

  /// - Parameter deadline: when to give up waiting for the writer of a pipe.
  init(
    _ identity: TLSConfiguration.Identity, until deadline: ContinuousClock.Instant?
  ) throws(TLSError) {
    certificate = try PEMText(identity.certificate, .certificate, until: deadline)
    // A pipe cannot be read twice.
    privateKey =
      identity.privateKey == identity.certificate
      ? certificate : try PEMText(identity.privateKey, .privateKey, until: deadline)
  }

  /// Makes a context use the chain and the key.
  func load(into context: OpaquePointer) throws(TLSError) {
    let chain = try certificate.parsed { text throws(PEMFault) in try PEM.certificates(text) }
    let key = try unsafe privateKey.parsed { text throws(PEMFault) in
      try unsafe PEM.privateKey(text)
    }
    defer { unsafe EVP_PKEY_free(key) }
    OpenSSLErrors.clear()
    guard unsafe X509_check_private_key(chain.first?.pointer, key) == 1 else {
      OpenSSLErrors.clear()
      throw TLSError(
        TLSInputFault(input: privateKey.input, path: privateKey.path, fault: .otherKey))
    }
    guard
      unsafe SSL_CTX_use_certificate(context, chain.first?.pointer) == 1,
      chain.dropFirst().allSatisfy({
        unsafe CWireShims_SSL_CTX_add1_chain_cert(context, $0.pointer) == 1
      }),
      unsafe SSL_CTX_use_PrivateKey(context, key) == 1
    else {
      let fault = PEMFault.invalid(OpenSSLErrors.drain().text)
      throw TLSError(
        TLSInputFault(input: .certificate, path: certificate.path, fault: fault))
    }
  }
}
