import COpenSSL
import CWireShims

/// Whose certificate chain and key it is, in messages.
enum IdentityOwner: String {
  case server
  case client
}

/// Has a context show a certificate chain, the certificate itself first, and use its key.
enum Identity {
  static func load(
    certificate: [UInt8], privateKey: [UInt8], of owner: IdentityOwner, into context: OpaquePointer
  ) throws(TLSError) {
    let chain = try PEM.certificates(certificate, "the \(owner) certificate")
    let key = try unsafe PEM.privateKey(privateKey, "the \(owner) key")
    defer { unsafe EVP_PKEY_free(key) }
    OpenSSLErrors.clear()
    guard unsafe X509_check_private_key(chain.first?.pointer, key) == 1 else {
      throw TLSError(
        .local(
          "the \(owner) key does not belong to the \(owner) certificate, of which the first in its"
            + " file counts: \(OpenSSLErrors.drain().text)"))
    }
    guard
      unsafe SSL_CTX_use_certificate(context, chain.first?.pointer) == 1,
      chain.dropFirst().allSatisfy({
        unsafe CWireShims_SSL_CTX_add1_chain_cert(context, $0.pointer) == 1
      }),
      unsafe SSL_CTX_use_PrivateKey(context, key) == 1
    else {
      throw TLSError(.local("cannot use the \(owner) certificate: \(OpenSSLErrors.drain().text)"))
    }
  }
}
