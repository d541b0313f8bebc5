/// A format of certificates and keys that has a converter to PEM.
package enum BinaryFormat: Hashable, Sendable {
  /// A certificate and its private key, with a password (RFC 7292), as in `.p12` and `.pfx` files.
  case pkcs12
  case certificate
  case privateKey
  case revocationList

  /// Returns nil for a file in another format.
  init?(_ bytes: [UInt8]) {
    var reader = DERReader(rest: bytes[...])
    guard let whole = reader.element(0x30) else { return nil }
    var content = DERReader(rest: whole.content)
    if let version = content.element(0x02) {
      // Versions of private keys are 0 and 1 (RFC 5958, RFC 8017, RFC 5915), that of PKCS#12 is 3.
      self = version.content.elementsEqual([3]) ? .pkcs12 : .privateKey
    } else if DERReader.subject(of: bytes) != nil {
      self = .certificate
    } else if content.element(0x30) != nil {
      self = .revocationList
    } else {
      return nil
    }
  }

  /// "a certificate in DER"
  var name: String {
    switch self {
    case .pkcs12: "PKCS#12"
    case .certificate: "a certificate in DER"
    case .privateKey: "a private key in DER"
    case .revocationList: "a revocation list in DER"
    }
  }

  /// Returns the command that writes PEM beside a file.
  package func conversion(of path: String) -> String {
    let files = "-in \(path) -out \(path == "…" ? path : path + ".pem")"
    return switch self {
    case .pkcs12: "openssl pkcs12 -nodes \(files)"
    case .certificate: "openssl x509 -inform DER \(files)"
    case .privateKey: "openssl pkey -inform DER \(files)"
    case .revocationList: "openssl crl -inform DER \(files)"
    }
  }
}
