package import WireSystem

/// One of the files or texts of a ``TLSConfiguration``, or of the environment that stands in for one.
package enum TLSInput: Hashable, Sendable {
  /// The file that SSL_CERT_FILE names.
  case systemRoots
  case roots
  case certificate
  case privateKey
  case revocationLists
  case keyLog
}

/// What is wrong with PEM text (RFC 7468), or why it could not be read.
package enum PEMFault: Error, Hashable, Sendable {
  case unreadable(FileReadError)
  case noCertificate
  case noPrivateKey
  case noRevocationList
  /// The private key is encrypted.
  case encrypted
  /// The private key is not that of the certificate.
  case otherKey
  /// OpenSSL's reason.
  case invalid(String)

  /// A sentence about the text from `origin`.
  package func description(of origin: String) -> String {
    switch self {
    case .unreadable(let error): "\(origin): \(error)"
    case .noCertificate: "\(origin) has no PEM certificate (BEGIN CERTIFICATE)"
    case .noPrivateKey: "\(origin) has no PEM private key (BEGIN PRIVATE KEY)"
    case .noRevocationList: "\(origin) has no PEM revocation list (BEGIN X509 CRL)"
    case .encrypted: "\(origin) is encrypted"
    case .otherKey:
      "\(origin) does not match the first certificate"
    case .invalid(let reason): "\(origin): \(reason)"
    }
  }
}

extension PEMFault {
  /// What to do about it, where that is not obvious.
  package var cure: String? {
    self == .encrypted ? "decrypt it first: openssl pkey -in … -out …" : nil
  }

  /// The description with the cure.
  func instruction(about origin: String) -> String {
    description(of: origin) + (cure.map { ": \($0)" } ?? "")
  }
}

/// An input of TLS that cannot be used, for callers that know it under a name of their own.
package struct TLSInputFault: Error, Hashable, Sendable {
  package let input: TLSInput
  /// Nil for text in memory.
  package var path: String?
  package let fault: PEMFault

  /// The same with the caller's name of the input: "--cacert: ca.pem: No such file or directory".
  package func description(as name: String) -> String {
    fault.description(of: path.map { "\(name): \($0)" } ?? name)
  }
}

extension TLSInputFault: CustomStringConvertible {
  /// "the client key /home/me/client.key: Permission denied"
  package var description: String {
    let name =
      switch input {
      case .systemRoots: "SSL_CERT_FILE"
      case .roots: "the file of root certificates"
      case .certificate: "the file of the certificate"
      case .privateKey: "the file of the private key"
      case .revocationLists: "the file of revocation lists"
      case .keyLog: "the key log"
      }
    return fault.instruction(about: path.map { "\(name) \($0)" } ?? name)
  }
}
