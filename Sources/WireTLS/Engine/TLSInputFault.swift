package import WireSystem

/// A file or text of a ``TLSConfiguration``, or of the environment variable that replaces it.
package enum TLSInput: Hashable, Sendable {
  /// The file that SSL_CERT_FILE names.
  case systemRoots
  case roots
  case certificate
  case privateKey
  case revocationLists
  case keyLog
}

/// The reason why PEM text (RFC 7468) is invalid or could not be read.
package enum PEMFault: Error, Hashable, Sendable {
  case unreadable(FileReadError)
  case noCertificate
  case noPrivateKey
  case noRevocationList
  /// The file to which secrets would be appended has something else.
  case noKeyLog
  /// The file has another format.
  case binary(BinaryFormat)
  /// The private key is encrypted.
  case encrypted
  /// The private key belongs to another certificate.
  case otherKey
  /// OpenSSL's reason.
  case invalid(String)

  /// Returns a sentence about the text from `origin`.
  package func description(of origin: String) -> String {
    switch self {
    case .unreadable(let error): "\(origin): \(error)"
    case .noCertificate: "\(origin) has no PEM certificate (BEGIN CERTIFICATE)"
    case .noPrivateKey: "\(origin) has no PEM private key (BEGIN PRIVATE KEY)"
    case .noRevocationList: "\(origin) has no PEM revocation list (BEGIN X509 CRL)"
    case .noKeyLog: "\(origin) is not a log of TLS secrets, and nothing is appended to it"
    case .binary(let format): "\(origin) is \(format.name), not PEM"
    case .encrypted: "\(origin) is encrypted"
    case .otherKey: "\(origin) does not match the first certificate of the certificate file"
    case .invalid(let reason): "\(origin) cannot be decoded: \(reason)"
    }
  }
}

extension PEMFault {
  /// One action for the user, if it is not obvious.
  package var cure: String? {
    switch self {
    case .encrypted: "decrypt it first: openssl pkey -in … -out …"
    case .binary(let format): "convert it to PEM: \(format.conversion(of: "…"))"
    default: nil
    }
  }

  /// The description and the action.
  func instruction(about origin: String) -> String {
    description(of: origin) + (cure.map { ": \($0)" } ?? "")
  }
}

/// An unusable input of TLS, described with the name that the caller gives it.
package struct TLSInputFault: Error, Hashable, Sendable {
  package let input: TLSInput
  /// Nil for text in memory.
  package var path: String?
  package let fault: PEMFault

  /// Returns the description with the caller's name: "--cacert: ca.pem: No such file or directory".
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
