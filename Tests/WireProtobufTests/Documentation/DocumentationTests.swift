import TestSupport
import Testing

/// Checks that the examples in WireProtobuf.docc are compiled and run by the tests.
@Suite struct DocumentationTests {
  @Test func examplesAreInTheTests() throws {
    let tests = try Self.lines("Tests/WireProtobufTests/Documentation/ExamplesTests.swift")
    let pages = try Self.pages()
    #expect(pages.count == 9)
    for page in pages {
      for example in try Self.blocks("swift", in: page) {
        let isTested = tests.indices.contains { tests[$0...].starts(with: example) }
        #expect(isTested, "\(page): \(example)")
      }
    }
  }

  @Test func exampleProtoMatchesTheTests() throws {
    let proto = try Self.lines("Tests/WireProtobufTests/shop.proto")
    #expect(try Self.blocks("protobuf", in: "GeneratingCode") == [proto.dropLast()])
  }

  /// The names of the pages: the main page and those that it links to.
  static func pages() throws -> [String] {
    try ["WireProtobuf"]
      + lines(path("WireProtobuf")).compactMap { line in
        line.wholeMatch(of: #/- <doc:(\w+)>/#).map { String($0.1) }
      }
  }

  static func path(_ page: String) -> String { "Sources/WireProtobuf/WireProtobuf.docc/\(page).md" }

  /// The code blocks in a language.
  static func blocks(_ language: String, in page: String) throws -> [ArraySlice<Substring>] {
    try lines(path(page)).split { $0 == "```\(language)" }.dropFirst().map { block in
      block.prefix { $0 != "```" }
    }
  }

  /// The lines of a file without leading spaces.
  static func lines(_ path: String) throws -> [Substring] {
    String(decoding: try Payload.contents(path), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }
  }
}
