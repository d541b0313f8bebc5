import COpenSSL

/// Owns an X509.
@safe final class OwnedX509 {
  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe X509_free(pointer)
  }
}

/// Gives OpenSSL no password. Without this function OpenSSL asks for one on the terminal.
func refusePassword(
  _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }

/// Reads certificates, keys and revocation lists from PEM text (RFC 7468).
enum PEM {
  /// Returns all certificates in the text, at least one.
  static func certificates(_ text: [UInt8]) throws(PEMFault) -> [OwnedX509] {
    var found: [OwnedX509] = []
    _ = try unsafe objects(text) { bio in
      guard let certificate = unsafe PEM_read_bio_X509_AUX(bio, nil, refusePassword, nil) else {
        return false
      }
      unsafe found.append(OwnedX509(owning: certificate))
      return true
    }
    guard !found.isEmpty else { throw .noCertificate }
    return found
  }

  /// Reads objects until `read` fails. Throws if it failed before the end of the text. Returns the number
  /// of objects.
  static func objects(
    _ text: [UInt8], _ read: (OpaquePointer?) -> Bool
  ) throws(PEMFault) -> Int {
    OpenSSLErrors.clear()
    var count = 0
    let isWhole = unsafe withBIO(text) { bio in
      while unsafe read(bio) { count += 1 }
      // OpenSSL reports the end of the text as an error.
      return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
    }
    let errors = OpenSSLErrors.drain()
    guard isWhole else { throw .invalid(errors.text) }
    return count
  }

  /// Returns the private key in the text. The caller frees it with EVP_PKEY_free.
  static func privateKey(_ text: [UInt8]) throws(PEMFault) -> OpaquePointer {
    OpenSSLErrors.clear()
    let key = unsafe withBIO(text) { bio in
      unsafe PEM_read_bio_PrivateKey(bio, nil, refusePassword, nil)
    }
    let errors = OpenSSLErrors.drain()
    guard let key = unsafe key else { throw privateKeyFault(text, errors) }
    return unsafe key
  }

  /// Returns the public key in the text, which the caller frees with EVP_PKEY_free; nil if there is none.
  static func publicKey(_ text: [UInt8]) -> OpaquePointer? {
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    return unsafe withBIO(text) { unsafe PEM_read_bio_PUBKEY($0, nil, refusePassword, nil) }
  }

  private static func privateKeyFault(_ text: [UInt8], _ errors: OpenSSLErrors) -> PEMFault {
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
    let isEncrypted = lines.contains { line in
      line.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY") || line.hasPrefix("Proc-Type: 4,ENCRYPTED")
    }
    if isEncrypted { return .encrypted }
    let hasKey = lines.contains { line in
      line.hasPrefix("-----BEGIN ") && line.hasSuffix("PRIVATE KEY-----")
    }
    return hasKey ? .invalid("not a usable private key: \(errors.text)") : .noPrivateKey
  }

  private static func withBIO<Result>(
    _ text: [UInt8], _ body: (OpaquePointer?) -> Result
  ) -> Result {
    unsafe text.withUnsafeBytes { bytes in
      let bio = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
      defer { unsafe BIO_free(bio) }
      return unsafe body(bio)
    }
  }
}
