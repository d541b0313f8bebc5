import COpenSSL

/// A private RSA key that signs as RS256 (RFC 7518 §3.3): RSASSA-PKCS1-v1_5 with SHA-256.
///
/// Sendable, because the key is never changed after it is read, and OpenSSL allows several threads to sign
/// with it. No description shows it.
@safe package final class RSAKey: @unchecked Sendable {
  private let key: OpaquePointer

  /// - Parameters:
  ///   - pem: PKCS#8 or PKCS#1, not encrypted.
  ///   - origin: its source, for errors.
  /// - Throws: ``TLSError`` (`local`) unless it is an RSA key of 2048 bits or more.
  package init(pem: [UInt8], _ origin: String) throws(TLSError) {
    unsafe key = try privateKey(pem, origin)
    try unsafe checkRSA(key, origin)
  }

  deinit {
    unsafe EVP_PKEY_free(key)
  }

  /// - Throws: ``TLSError`` (`local`) if OpenSSL fails.
  package func signature(of text: [UInt8]) throws(TLSError) -> [UInt8] {
    OpenSSLErrors.clear()
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: Int(max(0, unsafe EVP_PKEY_get_size(key))))
    var count = signature.count
    guard
      unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      unsafe EVP_DigestSign(context, &signature, &count, text, text.count) == 1
    else {
      throw TLSError(.local("cannot sign: \(OpenSSLErrors.drain().text)"))
    }
    return Array(signature.prefix(count))
  }
}

/// A public RSA key that verifies RS256. Sendable for the same reason.
@safe package final class RSAPublicKey: @unchecked Sendable {
  private let key: OpaquePointer

  /// - Parameters:
  ///   - pem: a certificate, a public key, or a private key.
  ///   - origin: its source, for errors.
  /// - Throws: ``TLSError`` (`local`) unless it is an RSA key of 2048 bits or more.
  package init(pem: [UInt8], _ origin: String) throws(TLSError) {
    if let certificate = try? PEM.certificates(pem).first {
      guard let key = unsafe X509_get_pubkey(certificate.pointer) else {
        throw TLSError(.local("\(origin): \(OpenSSLErrors.drain().text)"))
      }
      unsafe self.key = unsafe key
    } else if let key = unsafe PEM.publicKey(pem) {
      unsafe self.key = unsafe key
    } else {
      unsafe key = try privateKey(pem, origin, missing: "PEM key or certificate")
    }
    try unsafe checkRSA(key, origin)
  }

  deinit {
    unsafe EVP_PKEY_free(key)
  }

  package func verifies(_ signature: [UInt8], of text: [UInt8]) -> Bool {
    defer { OpenSSLErrors.clear() }
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else {
      return false
    }
    return unsafe EVP_DigestVerify(context, signature, signature.count, text, text.count) == 1
  }
}

/// - Parameter missing: the part that the text lacks if it has no private key; nil for a private key.
private func privateKey(
  _ pem: [UInt8], _ origin: String, missing: String? = nil
) throws(TLSError) -> OpaquePointer {
  do throws(PEMFault) {
    return unsafe try PEM.privateKey(pem)
  } catch {
    if error == .noPrivateKey, let missing {
      throw TLSError(.local("\(origin) has no \(missing)"))
    }
    throw TLSError(.local(error.instruction(about: origin)))
  }
}

/// RFC 7518 §3.3 requires 2048 bits.
private func checkRSA(_ key: OpaquePointer, _ origin: String) throws(TLSError) {
  guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
    throw TLSError(.local("\(origin) is not an RSA key"))
  }
  let bits = unsafe EVP_PKEY_get_bits(key)
  guard bits >= 2048 else {
    throw TLSError(.local("\(origin) has \(bits) bits; RS256 requires at least 2048"))
  }
}
