import COpenSSL
import WireSystem

/// A directory of PEM files that are named by the hash of their certificates' subject, as
/// `openssl rehash` does: "2e5ac55d.0".
struct CertificateDirectory: Sendable {
  let path: String

  /// Returns the certificates, in DER, of the files for a subject's Name, in DER.
  ///
  /// Files that are missing, too large, or not ready to be read are skipped, as OpenSSL skips unreadable
  /// ones.
  func certificates(named name: ArraySlice<UInt8>) -> [[UInt8]] {
    guard let hash = Self.hash(of: name) else { return [] }
    var found: [[UInt8]] = []
    for number in 0..<Self.maxFilesPerName {
      let file = "\(path)/\(hash).\(number)"
      guard LocalFile.exists(file) else { break }
      if let text = try? LocalFile.contents(of: file, limit: 1 << 20, until: .now) {
        found += CertificateBundle(text).certificates { _ in true }
      }
    }
    return found
  }

  private static let maxFilesPerName = 64

  /// Eight hexadecimal digits.
  private static func hash(of name: ArraySlice<UInt8>) -> String? {
    let parsed = unsafe name.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe d2i_X509_NAME(nil, &start, bytes.count)
    }
    guard let parsed = unsafe parsed else { return nil }
    defer { unsafe X509_NAME_free(parsed) }
    let digits = unsafe String(X509_NAME_hash_ex(parsed, nil, nil, nil), radix: 16)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}
