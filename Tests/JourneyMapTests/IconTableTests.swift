import JourneySharing
import TestSupport
import Testing
import Tripwire

@testable import JourneyMap

@Suite struct IconTableTests {
  private let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"

  private func table(_ names: String..., origins: [String] = []) -> IconTable {
    var table = IconTable(origins: origins)
    table.update(Set(names))
    return table
  }

  private func source(of bytes: [UInt8]) throws -> String? {
    try withTemporaryFile(bytes) { table($0).sources.first?.source }
  }

  @Test func filesBecomeImagesOfTheirType() throws {
    #expect(try source(of: Array(svg.utf8))?.hasPrefix("data:image/svg+xml;base64,PHN2Zy") == true)
    let xml = "<?xml version=\"1.0\"?>\n" + svg
    #expect(try source(of: Array(xml.utf8))?.hasPrefix("data:image/svg+xml;") == true)
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    #expect(try source(of: png) == "data:image/png;base64,iVBORw0KGgo=")
    #expect(try source(of: [0xff, 0xd8, 0xff, 0xe0])?.hasPrefix("data:image/jpeg;") == true)
    let webp = Array("RIFF0000WEBPVP8 ".utf8)
    #expect(try source(of: webp)?.hasPrefix("data:image/webp;") == true)
    try withTemporaryFile(svg.utf8) { path in
      let encoded = "/%2F" + path.dropFirst()
      for url in ["", "//", "//localhost"].map({ "file:\($0)\(path)" }) + ["file:" + encoded] {
        #expect(table(url).problems.isEmpty)
      }
    }
  }

  @Test func otherFilesAreProblems() throws {
    for text in ["", "<html><svg></html>", "GIF89a", "root:x:0:0", "<?xml version=\"1.0\"?><a/>"] {
      try withTemporaryFile(text.utf8) { path in
        let table = table(path)
        #expect(table.sources.isEmpty)
        #expect(table.problems == ["icon \(path): not a PNG, JPEG, WebP or SVG image"])
      }
    }
    let missing = table("/nonexistent/icon.png")
    #expect(missing.problems.count == 1)
    #expect(missing.problems.first?.hasPrefix("icon /nonexistent/icon.png: ") == true)
    #expect(table("/dev/zero").sources.isEmpty)
    #expect(table("/").sources.isEmpty)
  }

  @Test func largeFilesAreProblems() throws {
    let large = Array(svg.utf8) + [UInt8](repeating: 32, count: 256 << 10)
    try withTemporaryFile(large) { #expect(table($0).sources.isEmpty) }
    let data = "data:image/png;base64," + String(repeating: "A", count: 400_000)
    #expect(table(data).problems.first?.hasSuffix("larger than 262144 bytes") == true)
  }

  @Test func urlsNeedTheirOrigin() {
    let origins = ["https://Icons.example", "http://127.0.0.1:8080"]
    for url in ["https://icons.example/a.png", "HTTPS", "http://127.0.0.1:8080/a?b"] {
      let table = table(url, origins: origins)
      #expect(table.sources.map(\.source) == (url == "HTTPS" ? [] : [url]))
    }
    for url in [
      "https://icons.example.evil/a.png", "https://icons.example@evil/a.png", "https://evil/a.png",
      "http://icons.example/a.png", "https://icons.example:444/a.png",
    ] {
      #expect(
        table(url, origins: origins).problems
          == ["icon \(url): its origin is not one of imageOrigins"])
    }
  }

  @Test func dataURLsHaveAnAllowedType() {
    let png = "data:image/png;base64,iVBORw0KGgo="
    #expect(table(png).sources.map(\.source) == [png])
    for url in ["data:text/html;base64,AAAA", "data:image/svg+xml,<svg>", "data:image/gif;base64,"]
    {
      #expect(table(url).sources.isEmpty)
      #expect(table(url).problems.count == 1)
    }
  }

  @Test func unusedIconsAreForgotten() {
    let icon = "data:image/png;base64,iVBORw0KGgo="
    var table = table(icon, "/nonexistent")
    #expect(table.sources.count == 1)
    #expect(table.problems.count == 1)
    var marker = Journey.Marker(
      kind: .vehicle, position: LatLng(latitude: 1, longitude: 2),
      style: JourneyStyle.Marker(color: .red, icon: icon))
    #expect(table.applied(to: [marker]).first?.style.icon == "1")
    marker.style.icon = "/nonexistent"
    #expect(table.applied(to: [marker]).first?.style.icon == nil)
    table.update([])
    #expect(table.sources.isEmpty)
    #expect(table.problems.isEmpty)
  }

  @Test func iconsAreLimited() {
    var table = IconTable(origins: ["https://a"])
    table.update(Set((0..<100).map { "https://a/\($0).png" }))
    #expect(table.sources.count == 64)
    #expect(table.problems.count == 36)
  }
}
