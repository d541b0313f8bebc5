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

/// Reads certificates and keys from PEM text.
enum PEM {
  /// All certificates in the text; throws `local` when there is none or one is broken.
  static func certificates(_ text: [UInt8], _ origin: String) throws(TLSError) -> [OwnedX509] {
    OpenSSLErrors.clear()
    var found: [OwnedX509] = []
    let isWhole = unsafe withBIO(text) { bio in
      while let certificate = unsafe PEM_read_bio_X509(bio, nil, nil, nil) {
        unsafe found.append(OwnedX509(owning: certificate))
      }
      // The end of the text shows as an error of its own.
      return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
    }
    let errors = OpenSSLErrors.drain()
    guard isWhole else { throw TLSError(.local("\(origin): \(errors.text)")) }
    guard !found.isEmpty else { throw TLSError(.local("\(origin) has no PEM certificate")) }
    return found
  }

  /// The private key in the text. The caller frees it with EVP_PKEY_free.
  static func privateKey(_ text: [UInt8], _ origin: String) throws(TLSError) -> OpaquePointer {
    OpenSSLErrors.clear()
    // Given a password of no characters, OpenSSL does not ask for one on the terminal.
    let key = unsafe withBIO(text) { bio in
      unsafe "".withCString {
        unsafe PEM_read_bio_PrivateKey(bio, nil, nil, UnsafeMutableRawPointer(mutating: $0))
      }
    }
    guard let key = unsafe key else {
      throw TLSError(
        .local("\(origin) has no usable PEM private key: \(OpenSSLErrors.drain().text)"))
    }
    return unsafe key
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
