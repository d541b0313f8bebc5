import COpenSSL
import WireSystem

/// The places of a system's root certificates.
struct SystemRoots {
  /// The values of the variables, if they are not empty.
  let file: String?
  let directory: String?
  /// The possible directories with hashed names.
  let directories: [String]
  /// The possible bundles.
  let bundles: [String]

  /// The places of this machine: those of OpenSSL, of Linux distributions and of Homebrew.
  static var current: SystemRoots {
    SystemRoots(
      file: unsafe variable(X509_get_default_cert_file_env()),
      directory: unsafe variable(X509_get_default_cert_dir_env()),
      directories: [unsafe String(cString: X509_get_default_cert_dir()), "/etc/ssl/certs"],
      bundles: [
        unsafe String(cString: X509_get_default_cert_file()),
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/cert.pem", "/opt/homebrew/etc/openssl@3/cert.pem",
        "/usr/local/etc/openssl@3/cert.pem",
      ])
  }

  private static func variable(_ name: UnsafePointer<CChar>) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// The first directory with an entry that is named as by c_rehash: eight hexadecimal digits, ".0".
  var hashedDirectory: String? {
    directories.first { directory in
      guard let stream = unsafe opendir(directory) else { return false }
      defer { unsafe closedir(stream) }
      while let entry = unsafe readdir(stream) {
        let isHashed = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
          let name = unsafe name.prefix { $0 != 0 }
          return unsafe name.count == 10 && name.suffix(2).elementsEqual(".0".utf8)
            && name.prefix(8).allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        }
        if isHashed { return true }
      }
      return false
    }
  }
}
