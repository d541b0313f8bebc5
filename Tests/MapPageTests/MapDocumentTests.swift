import HTTPServer
import TestSupport
import Testing

@testable import MapPage

@Suite struct MapDocumentTests {
  private func withLeaflet<Result>(
    _ files: [String: String], _ body: (String) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryDirectory { directory in
      for (name, text) in files { try appendToFile("\(directory)/\(name)", Array(text.utf8)) }
      return try await body(directory)
    }
  }

  @Test func documentNeedsNoOtherSourceAndForbidsThem() async throws {
    let html = try await withLeaflet(["leaflet.js": "var L = 1;", "leaflet.css": "a{}"]) { path in
      MapDocument.html(
        try LeafletFiles(in: path), PageOptions(), gzippedRecording: Array("data".utf8))
    }
    let text = String(decoding: html, as: UTF8.self)
    #expect(text.contains("<script>var L = 1;</script>") && text.contains("<style>a{}</style>"))
    #expect(text.contains("id=\"recording\">ZGF0YQ==</script>"))
    #expect(text.contains("default-src 'none'; script-src 'sha256-"))
    // The hash of "var L = 1;".
    #expect(text.contains("'sha256-WFXnTSSiWBzn+WzAK471ZTny6aFsztbgCt496QeRDbs='"))
    #expect(text.contains("img-src data:; base-uri 'none'; form-action 'none'\""))
    #expect(!text.contains("<!-- "))
  }

  @Test func tilesAreAllowedByTheirOrigin() async throws {
    let tiles = PageOptions.Tiles(
      address: try TileAddress("https://t.example/{z}/{x}/{y}.png"), attribution: "</script><b>")
    let html = try await withLeaflet(["leaflet.min.js": "", "leaflet.css": ""]) { path in
      MapDocument.html(
        try LeafletFiles(in: path), PageOptions(tiles: tiles), gzippedRecording: [])
    }
    let text = String(decoding: html, as: UTF8.self)
    #expect(text.contains("img-src data: https://t.example;"))
    #expect(text.contains(#""attribution":"\u003c/script>\u003cb>""#))
  }

  @Test func minifiedLeafletIsPreferred() async throws {
    let files = ["leaflet.js": "long", "leaflet.min.js": "short", "leaflet.css": ""]
    let script = try await withLeaflet(files) { try LeafletFiles(in: $0).script }
    #expect(script == Array("short".utf8))
  }

  @Test(arguments: [[:], ["leaflet.css": ""], ["leaflet.js": ""]])
  func missingFileIsAnError(files: [String: String]) async throws {
    await #expect(throws: LeafletError.self) {
      try await withLeaflet(files) { _ = try LeafletFiles(in: $0) }
    }
  }

  @Test func servedPageNamesItsFiles() async throws {
    let files = try await withLeaflet(["leaflet.js": "", "leaflet.css": ""]) { path in
      ServedFile.page(try LeafletFiles(in: path), PageOptions())
    }
    #expect(files.map(\.path) == ["", "leaflet.css", "page.css", "leaflet.js", "page.js"])
    let page = String(decoding: files[0].bytes, as: UTF8.self)
    for file in files.dropFirst() { #expect(page.contains("\"\(file.path)\"")) }
    #expect(!page.contains("<script>"))
  }
}
