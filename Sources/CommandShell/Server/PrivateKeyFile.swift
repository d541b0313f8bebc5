import WireGRPC
import WireSystem

/// A file that may contain a private key, among others: for TLS, or for the login to NATS.
struct PrivateKeyFile {
  /// "--key".
  let option: String
  let path: String

  /// The longest file that is searched, in bytes.
  private static let limit = 1 << 20

  /// The warning that others can read the key; nil if they cannot, or if there is none.
  var warning: String? {
    guard LocalFile.isShared(path),
      let bytes = try? LocalFile.contents(of: path, limit: Self.limit)
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard ["PRIVATE KEY-----", "NKEY SEED-----"].contains(where: text.mentions) else { return nil }
    return "\(option) \(path): other users can read this private key: run chmod 600"
  }
}
