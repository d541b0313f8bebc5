import COpenSSL

/// An X509 that goes when this goes.
@safe final class OwnedX509 {
  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe X509_free(pointer)
  }
}

/// Gives OpenSSL no password: who gives it no such function has it ask on the terminal.
func refusePassword(
  _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }

/// Reads certificates, keys and revocation lists from PEM text (RFC 7468).
enum PEM {
  /// All certificates in the text; throws `local` when there is none or one is broken.
  static func certificates(_ text: [UInt8], _ origin: String) throws(TLSError) -> [OwnedX509] {
    var found: [OwnedX509] = []
    _ = try unsafe objects(text, origin) { bio in
      guard let certificate = unsafe PEM_read_bio_X509(bio, nil, refusePassword, nil) else {
        return false
      }
      unsafe found.append(OwnedX509(owning: certificate))
      return true
    }
    guard !found.isEmpty else { throw TLSError(.local("\(origin) has no PEM certificate")) }
    return found
  }

  /// Reads one object after the other until `read` says that it cannot; throws `local` when that was
  /// not for the end of the text. Returns how many there were.
  static func objects(
    _ text: [UInt8], _ origin: String, _ read: (OpaquePointer?) -> Bool
  ) throws(TLSError) -> Int {
    OpenSSLErrors.clear()
    var count = 0
    let isWhole = unsafe withBIO(text) { bio in
      while unsafe read(bio) { count += 1 }
      // The end of the text shows as an error of its own.
      return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
    }
    let errors = OpenSSLErrors.drain()
    guard isWhole else { throw TLSError(.local("\(origin): \(errors.text)")) }
    return count
  }

  /// The private key in the text. The caller frees it with EVP_PKEY_free.
  static func privateKey(_ text: [UInt8], _ origin: String) throws(TLSError) -> OpaquePointer {
    OpenSSLErrors.clear()
    let key = unsafe withBIO(text) { bio in
      unsafe PEM_read_bio_PrivateKey(bio, nil, refusePassword, nil)
    }
    let errors = OpenSSLErrors.drain()
    guard let key = unsafe key else {
      if isEncrypted(text) {
        throw TLSError(
          .local("\(origin) is encrypted: decrypt it first, as with openssl pkey -in … -out …"))
      }
      throw TLSError(.local("\(origin) is no usable PEM private key: \(errors.text)"))
    }
    return unsafe key
  }

  /// The public key in the text, which the caller frees with EVP_PKEY_free; nil when there is none.
  static func publicKey(_ text: [UInt8]) -> OpaquePointer? {
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    return unsafe withBIO(text) { unsafe PEM_read_bio_PUBKEY($0, nil, refusePassword, nil) }
  }

  private static func isEncrypted(_ text: [UInt8]) -> Bool {
    String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
      line.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY") || line.hasPrefix("Proc-Type: 4,ENCRYPTED")
    }
  }

  /// What a file holds; throws `local`.
  static func read(_ path: String, _ origin: String) throws(TLSError) -> [UInt8] {
    OpenSSLErrors.clear()
    let bio = unsafe BIO_new_file(path, "r")
    defer { unsafe BIO_free(bio) }
    var text: [UInt8] = []
    var count = unsafe bio == nil ? -1 : 0
    repeat {
      if count < 0 {
        throw TLSError(.local("cannot read \(origin) \(path): \(OpenSSLErrors.drain().text)"))
      }
      text.append(contentsOf: repeatElement(0, count: 65_536))
      count = unsafe text.withUnsafeMutableBytes { bytes in
        unsafe Int(BIO_read(bio, bytes.baseAddress?.advanced(by: bytes.count - 65_536), 65_536))
      }
      text.removeLast(65_536 - max(count, 0))
    } while count != 0
    return text
  }

  static func read(
    _ source: TLSConfiguration.PEMSource, _ origin: String
  ) throws(TLSError) -> [UInt8] {
    switch source {
    case .file(let path): try read(path, origin)
    case .pem(let text): text
    }
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
