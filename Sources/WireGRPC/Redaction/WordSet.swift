/// The sequences of eight bytes in some byte strings, as a hash set. A lookup takes a few instructions.
struct WordSet: Sendable {
  static let width = 8

  /// 0 marks a free slot. At least half of the slots are free.
  private var slots: [UInt64]
  /// Whether the set contains the word 0, which no slot can hold.
  private var hasZero = false
  private let shift: UInt64
  /// Odd, and random in each process. With a known multiplier, a peer could choose words that all have
  /// the same slot.
  private let multiplier: UInt64
  private static let randomMultiplier = UInt64.random(in: 0 ... .max) | 1

  init(_ strings: [[UInt8]]) {
    let count = strings.reduce(0) { $0 + $1.count }
    let bits = UInt64(UInt.bitWidth - count.leadingZeroBitCount) + 1
    shift = 64 - bits
    multiplier = Self.randomMultiplier
    slots = [UInt64](repeating: 0, count: 1 << Int(bits))
    for string in strings {
      unsafe string.withUnsafeBytes { string in
        for start in 0..<max(0, string.count - Self.width + 1) {
          insert(unsafe string.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
      }
    }
  }

  private mutating func insert(_ word: UInt64) {
    guard word != 0 else {
      hasZero = true
      return
    }
    var slot = slot(of: word)
    while slots[slot] != 0, slots[slot] != word { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = word
  }

  func contains(_ word: UInt64) -> Bool {
    var slot = slot(of: word)
    while slots[slot] != word {
      if slots[slot] == 0 { return false }
      slot = (slot + 1) & (slots.count - 1)
    }
    return word != 0 || hasZero
  }

  private func slot(of word: UInt64) -> Int {
    Int(truncatingIfNeeded: (word &* multiplier) &>> shift)
  }
}
