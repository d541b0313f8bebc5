import TestSupport
import Testing

@testable import WireTLS

@Suite struct RSAKeyTests {
  private let text = Array("head.claims".utf8)

  /// PKCS#1 v1.5 is deterministic, so every implementation creates the same bytes.
  @Test(arguments: [Named("PKCS #8", RSATestKey.pkcs8), Named("PKCS #1", RSATestKey.pkcs1)])
  func signatureEqualsOpenSSLs(pem: Named<String>) throws {
    let key = try RSAKey(pem: Array(pem.value.utf8), "the key")
    let signature = try key.signature(of: text)
    #expect(base64(signature) == RSATestKey.signature)
  }

  @Test(arguments: [Named("public", RSATestKey.publicKey), Named("PKCS #8", RSATestKey.pkcs8)])
  func verifiesSignatures(pem: Named<String>) throws {
    let signature = try RSAKey(pem: Array(RSATestKey.pkcs8.utf8), "the key").signature(of: text)
    let key = try RSAPublicKey(pem: Array(pem.value.utf8), "the key")
    #expect(key.verifies(signature, of: text))
    #expect(!key.verifies(signature, of: text + [0]))
    #expect(!key.verifies([], of: text))
    #expect(!key.verifies(Array(signature.dropLast()), of: text))
  }

  @Test(arguments: [
    (Named("short", RSATestKey.short), "the key has 1024 bits; RS256 requires at least 2048"),
    (Named("elliptic", RSATestKey.elliptic), "the key is not an RSA key"),
    (Named("public", RSATestKey.publicKey), "the key has no PEM private key"),
    (Named("empty", ""), "the key has no PEM private key"),
  ])
  func otherKeysAreRejected(pem: Named<String>, message: String) {
    let error = #expect(throws: TLSError.self) { try RSAKey(pem: Array(pem.value.utf8), "the key") }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test func publicKeyNamesAllItsForms() {
    let error = #expect(throws: TLSError.self) { try RSAPublicKey(pem: [], "the key") }
    #expect(error?.description == "the key has no PEM key or certificate")
  }

  private func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (Array(group) + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
      for digit in 0...group.count { text.append(digits[bits >> (18 - 6 * digit) & 63]) }
      text += String(repeating: "=", count: 3 - group.count)
    }
    return text
  }
}
