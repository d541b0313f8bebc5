/// Identifies a request and its response without keeping their bytes.
///
/// A keyed hash of 64 bits: SipHash with a key that the process chooses at random, so that a server cannot
/// construct two responses with the same one. Two different responses have the same one with a
/// probability of 2^-64.
struct ExchangeFingerprint: Equatable, Sendable {
  private let hash: Int

  init(of request: [UInt8], _ response: [UInt8]) {
    var hasher = Hasher()
    hasher.combine(request.count)
    request.withUnsafeBytes { hasher.combine(bytes: $0) }
    response.withUnsafeBytes { hasher.combine(bytes: $0) }
    hash = hasher.finalize()
  }
}
