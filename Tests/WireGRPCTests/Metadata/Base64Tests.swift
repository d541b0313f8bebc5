import Testing

@testable import WireGRPC

@Suite struct Base64Tests {
  /// RFC 4648 §10, without padding.
  @Test(
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
      ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ])
  func matchesTheVectorsOfTheRFC(_ text: String, _ coded: String) {
    #expect(Base64.encode(Array(text.utf8)) == coded)
    #expect(Base64.decode(coded) == Array(text.utf8))
    let padding = String(repeating: "=", count: (4 - coded.utf8.count % 4) % 4)
    #expect(Base64.decode(coded + padding) == Array(text.utf8))
  }

  @Test func roundTripsEveryByte() {
    let bytes = (0...255).map { UInt8($0) }
    for count in 0...bytes.count {
      #expect(
        Base64.decode(Base64.encode(Array(bytes.prefix(count)))) == Array(bytes.prefix(count)))
    }
  }

  @Test(arguments: ["Z", "Zm9vY", "Zg=", "Zg===", "=", "====", "Zm9v!", "Z-_v", "Zg==Zg==", "Zé8"])
  func refusesInvalidBase64(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
