import COpenSSL

/// The result of a handshake.
package struct TLSSession: Sendable, Hashable {
  /// "TLSv1.3" or "TLSv1.2"
  package let version: String
  /// For example "TLS_AES_128_GCM_SHA256".
  package let cipher: String
  /// The protocol that ALPN selected; nil without ALPN.
  package let applicationProtocol: String?
  /// The peer's certificate; nil if it sent none, like most clients.
  package let peerCertificate: Certificate?
  /// Whether it resumes an earlier connection and its certificate.
  package let isResumed: Bool

  init(_ ssl: OpaquePointer) {
    version = unsafe String(cString: SSL_get_version(ssl))
    cipher = unsafe String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)))
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(ssl, &name, &count)
    applicationProtocol =
      count == 0
      ? nil
      : unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    isResumed = unsafe SSL_session_reused(ssl) == 1
    peerCertificate = unsafe SSL_get0_peer_certificate(ssl).map { unsafe Certificate($0) }
  }
}
