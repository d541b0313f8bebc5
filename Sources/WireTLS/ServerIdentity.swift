import COpenSSL
import CWireShims

/// A server's certificate chain and key.
enum ServerIdentity {
  static func load(
    certificate: [UInt8], privateKey: [UInt8], into context: OpaquePointer
  ) throws(TLSError) {
    let chain = try PEM.certificates(certificate, "the server certificate")
    let key = try unsafe PEM.privateKey(privateKey, "the server key")
    defer { unsafe EVP_PKEY_free(key) }
    OpenSSLErrors.clear()
    guard
      unsafe SSL_CTX_use_certificate(context, chain.first?.pointer) == 1,
      chain.dropFirst().allSatisfy({
        unsafe CWireShims_SSL_CTX_add1_chain_cert(context, $0.pointer) == 1
      }),
      unsafe SSL_CTX_use_PrivateKey(context, key) == 1,
      unsafe SSL_CTX_check_private_key(context) == 1
    else {
      throw TLSError(.local("cannot use the server certificate: \(OpenSSLErrors.drain().text)"))
    }
  }
}
