import COpenSSL

/// Makes a context reject certificates that lists revoke (RFC 5280 §5).
enum RevocationLists {
  /// Every certificate of a chain is then looked up in the list of its issuer, which is required.
  static func load(_ text: PEMText, into context: OpaquePointer) throws(TLSError) {
    let store = unsafe SSL_CTX_get_cert_store(context)
    try text.parsed { text throws(PEMFault) in
      let count = try unsafe PEM.objects(text) { bio in
        guard let list = unsafe PEM_read_bio_X509_CRL(bio, nil, refusePassword, nil) else {
          return false
        }
        defer { unsafe X509_CRL_free(list) }
        return unsafe X509_STORE_add_crl(store, list) == 1
      }
      guard count > 0 else { throw .noRevocationList }
    }
    _ = unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL))
  }
}
