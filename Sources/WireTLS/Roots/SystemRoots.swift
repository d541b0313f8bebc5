import COpenSSL
import WireSystem

/// Where a system keeps its root certificates.
struct SystemRoots {
  /// The variables' values, when they are set to something.
  let file: String?
  let directory: String?
  /// Where directories with hashed names may be.
  let directories: [String]
  /// Where bundles may be.
  let bundles: [String]

  /// Of this machine: OpenSSL's own places, and those of distributions and of Homebrew.
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

  /// The first directory that has an entry as c_rehash names them: eight hexadecimal digits, ".0".
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
