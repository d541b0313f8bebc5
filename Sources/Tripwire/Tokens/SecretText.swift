import WireGRPC

/// Whether there could be a secret in what somebody else's program says, which then is not to be in an
/// error. By its looks: rather too often than not often enough.
enum SecretText {
  /// What stands before one, in lower case.
  private static let signs =
    ["bearer ", "basic ", "authorization:", "private key", "password:", "passwd", "passphrase:"]
    + ["token", "secret", "password", "key"].flatMap { ["\($0)=", "\($0)\":", "\($0)':"] }

  /// Whether a line has in it what could be a token or a key, what usually stands before one, or a
  /// command as a shell traces it (`set -x`), with its arguments.
  static func isLikely(in line: some StringProtocol) -> Bool {
    if line.first(where: { $0 != " " }) == "+" { return true }
    let lower = line.lowercased()
    if signs.contains(where: lower.mentions) { return true }
    return line.utf8.split { !isLetter($0) && !isDigit($0) }.contains { isRandom(Array($0)) }
  }

  /// Whether no word is so: not "central1", but "a1b2c3d4e5" and "wJalrXUtnFEMI". Of base64 and
  /// hexadecimal digits of any length that matters a part is.
  private static func isRandom(_ word: [UInt8]) -> Bool {
    guard word.count >= 10 else { return false }
    let letters = word.prefix(while: isLetter)
    if letters.isEmpty || word.count - letters.count > 4 || word.last.map(isLetter) == true {
      if letters.count < word.count, word.contains(where: isLetter) { return true }
    }
    let changes = zip(letters, letters.dropFirst()).filter { $0 & 0x20 != $1 & 0x20 }.count
    return changes * 3 > letters.count
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
