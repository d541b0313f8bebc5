/// Identifies a request and its response without keeping their bytes.
///
/// A hash of 64 bits with a key that the process chooses at random. Two different exchanges have the same one with a
/// probability of about 2^-64. The hash need not withstand attacks: a server that wants to hide a change can repeat
/// its last response.
struct ExchangeFingerprint: Equatable, Sendable {
  private static let key = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))

  private let hash: UInt64

  init(of request: [UInt8], _ response: [UInt8]) {
    hash = Self.hash(response, from: Self.hash(request, from: Self.key.0))
  }

  /// Multiplies 16 bytes at a time, and folds the product, as wyhash does.
  private static func hash(_ message: [UInt8], from start: UInt64) -> UInt64 {
    let bytes = unsafe message.span.bytes
    let count = bytes.byteCount
    var (hash, index) = (start, 0)
    while index + 16 <= count {
      let first = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
      let second = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index + 8, as: UInt64.self)
      hash = fold(first ^ key.1, second ^ hash)
      index += 16
    }
    var rest: (UInt64, UInt64) = (0, 0)
    for index in index..<count {
      rest = (rest.0 << 8 | rest.1 >> 56, rest.1 << 8 | UInt64(message[index]))
    }
    // The number of bytes tells a message from the same one with zeros in front of its last bytes.
    return fold(fold(rest.0 ^ key.1, rest.1 ^ hash), UInt64(count) ^ key.0)
  }

  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
