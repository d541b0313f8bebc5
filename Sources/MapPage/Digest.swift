import COpenSSL

/// The first half of a SHA-256 digest. It takes less memory than the feature.
package struct Digest: Hashable {
  private let words: SIMD2<UInt64>

  package init(_ bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    _ = unsafe SHA256(bytes, bytes.count, &digest)
    words = unsafe digest.withUnsafeBytes { unsafe $0.loadUnaligned(as: SIMD2<UInt64>.self) }
  }
}
