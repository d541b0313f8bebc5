import COpenSSL
import CWireShims

/// The verification of a server's certificate and its name, and the reason for a failure.
enum PeerVerification {
  /// Sets the name to send (SNI) and the name or address that the certificate must have.
  ///
  /// SNI is for names only (RFC 6066 section 3), without the root's dot.
  static func expect(_ serverName: String, from ssl: OpaquePointer) throws(TLSError) -> String {
    var name = serverName[...]
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    if let zone = name.firstIndex(of: "%"), name.contains(":") { name = name[..<zone] }
    if name.hasSuffix(".") { name = name.dropLast() }
    let expected = String(name)
    guard !expected.isEmpty, expected.utf8.count <= 255, !expected.utf8.contains(0) else {
      throw TLSError(.local("'\(serverName)' is not a valid TLS server name"))
    }
    OpenSSLErrors.clear()
    // Only checks whether the text is an IPv4 or IPv6 address.
    if let address = unsafe a2i_IPADDRESS(expected) {
      unsafe ASN1_OCTET_STRING_free(address)
      guard unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), expected) == 1 else {
        throw uncheckable(expected)
      }
      return expected
    }
    // The common name is never used, even if there is no other name (RFC 9525 §2).
    unsafe SSL_set_hostflags(
      ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
    guard
      unsafe SSL_set1_host(ssl, expected) == 1,
      unsafe CWireShims_SSL_set_tlsext_host_name(ssl, expected) == 1
    else { throw uncheckable(expected) }
    return expected
  }

  private static func uncheckable(_ expected: String) -> TLSError {
    TLSError(
      .local("cannot check the certificate for \(expected): \(OpenSSLErrors.drain().text)"))
  }

  /// OpenSSL's verify callback, called for every certificate and every error. It keeps OpenSSL's result, and
  /// passes an error to the engine while the certificate is available.
  static func isAccepted(_ verdict: Int32, _ store: OpaquePointer?) -> Int32 {
    guard
      verdict != 1, let store = unsafe store,
      let ssl = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
      let engine = unsafe SSL_get_ex_data(OpaquePointer(ssl), 0)
    else { return verdict }
    unsafe Unmanaged<TLSEngine>.fromOpaque(engine).takeUnretainedValue()
      .verificationFailed { expected in unsafe reason(store, expected) }
    return verdict
  }

  private static func reason(_ store: OpaquePointer, _ expected: String) -> TLSError {
    let code = unsafe X509_STORE_CTX_get_error(store)
    let words = unsafe String(cString: X509_verify_cert_error_string(Int(code)))
    guard
      let current = unsafe X509_STORE_CTX_get_current_cert(store) ?? X509_STORE_CTX_get0_cert(store)
    else { return TLSError(.untrustedCertificate(reason: words)) }
    let certificate = unsafe Certificate(current)
    switch code {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return TLSError(
        .expiredCertificate(subject: certificate.subject, notAfter: certificate.notAfter))
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return TLSError(
        .notYetValidCertificate(subject: certificate.subject, notBefore: certificate.notBefore))
    case X509_V_ERR_CERT_REVOKED:
      return TLSError(.revokedCertificate(subject: certificate.subject))
    case X509_V_ERR_UNABLE_TO_GET_CRL:
      return TLSError(
        .untrustedCertificate(
          reason: "there is no revocation list of \(certificate.issuer), the issuer of"
            + " \(certificate.subject)"))
    case X509_V_ERR_CRL_HAS_EXPIRED, X509_V_ERR_CRL_NOT_YET_VALID:
      return TLSError(
        .untrustedCertificate(
          reason: "the revocation list of \(certificate.issuer) is"
            + (code == X509_V_ERR_CRL_HAS_EXPIRED ? " out of date" : " not yet valid")))
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      return TLSError(.hostnameMismatch(expected: expected, names: certificate.names))
    default:
      return TLSError(
        .untrustedCertificate(
          reason: "\(words) (subject \(certificate.subject), issuer \(certificate.issuer))"))
    }
  }
}
