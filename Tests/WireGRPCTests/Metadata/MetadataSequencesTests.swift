import Testing

@testable import WireGRPC

@Suite struct MetadataSequencesTests {
  @Test func pairsOfTextsBecomeEntries() throws {
    let metadata = try Metadata([("X-A", "1"), ("x-b", "2"), ("x-a", "3")])
    #expect(metadata.map(\.name) == ["x-a", "x-b", "x-a"])
    #expect(metadata[all: "x-a"] == ["1", "3"])
    #expect(try Metadata(zip(["x-a"], ["1"])) == ["x-a": "1"])
  }

  @Test func pairsOfTextsAndBytesBecomeEntries() throws {
    let metadata = try Metadata([("x-a", "1"), ("x-b-bin", .binary([7]))])
    #expect(metadata == ["x-a": "1", "x-b-bin": .binary([7])])
    let name = "x-b-bin"
    #expect(try Metadata([("x-a", "1"), (name, .binary([7]))]) == metadata)
    #expect(
      try Metadata(zip(["x-a", name], [.text("1"), Metadata.Value.binary([7])])) == metadata)
  }

  @Test func sortsADictionaryByName() throws {
    let texts = ["x-b": "2", "x-a": "1", "x-c": "3"]
    #expect(try Metadata(texts).map(\.description) == ["x-a: 1", "x-b: 2", "x-c: 3"])
  }

  @Test func entriesStaySensitive() throws {
    let pin = Metadata.Entry(name: "x-pin", value: "1", isSensitive: true)
    let metadata = try Metadata([pin, Metadata.Entry(name: "x-a", value: "2")])
    #expect(metadata.map(\.isSensitive) == [true, false])
    #expect(try Metadata(metadata.filter(\.isSensitive)).count == 1)
  }

  @Test func convertsARenamedEntryToLowerCase() throws {
    var entry = Metadata.Entry(name: "x", value: "1")
    entry.name = "Authorization"
    let metadata = try Metadata([entry])
    #expect(metadata[0].name == "authorization" && metadata[0].isSensitive)
  }

  @Test func reportsAllInvalidEntries() {
    let error = #expect(throws: MetadataError.self) {
      try Metadata([("Te", "x"), ("x-good", "1"), ("x", "a\nb"), ("x-bin", "text")])
    }
    #expect(error?.name == "te")
    #expect(
      error?.description == "metadata \"te\": this name is reserved for the transport; "
        + "metadata \"x\": the character U+000A at offset 1 of the value is not printable ASCII; "
        + "send it as bytes under a \"-bin\" name; "
        + "metadata \"x-bin\": a name that ends in \"-bin\" requires a binary value, not text")
    #expect(throws: MetadataError.self) { try Metadata(["te": "x"] as [String: String]) }
    #expect(throws: MetadataError.self) { try Metadata([Metadata.Entry(name: "te", value: "x")]) }
  }
}
