import MapPage
import Testing

@Suite struct TileAddressTests {
  @Test(arguments: [
    ("https://t.example/{z}/{x}/{y}.png", "https://t.example"),
    ("https://{s}.t.example:8443/{z}/{x}/{y}{r}.png?key=a", "https://*.t.example:8443"),
    ("http://127.0.0.1/{x}-{y}-{z}", "http://127.0.0.1"),
    ("http://[::1]:80/{x}{y}{z}", "http://[::1]:80"),
  ])
  func tileAddressHasAnOrigin(text: String, origin: String) throws {
    #expect(try TileAddress(text).origin == origin)
  }

  @Test(arguments: [
    "", "t.example/{z}/{x}/{y}", "ftp://t.example/{z}/{x}/{y}", "https://t.example/{z}/{x}",
    "https:///{z}/{x}/{y}", "https://a b/{z}/{x}/{y}", "https://a;script-src 'x'/{z}/{x}/{y}",
    "https://t.example/{z}/{x}/{y}?key={apikey}", "https://u:p@t.example/{z}/{x}/{y}",
    "https://t.example'/{z}/{x}/{y}\"",
  ])
  func invalidTileAddressIsRejected(text: String) {
    #expect(throws: TileAddress.Invalid.self) { try TileAddress(text) }
  }

  @Test func userNameIsNamedAsTheReason() {
    #expect(throws: TileAddress.Invalid.credentials) {
      try TileAddress("https://u:p@t.example/{z}/{x}/{y}.png")
    }
  }
}
