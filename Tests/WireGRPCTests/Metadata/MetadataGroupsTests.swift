import Testing

@testable import WireGRPC

@Suite struct MetadataGroupsTests {
  @Test func keepsTheOrderOfFirstAppearance() throws {
    let metadata: Metadata = [
      "x-b": "1", "x-a-bin": .binary([1]), "x-b": "2", "x-c": "", "x-a-bin": .binary([]),
    ]
    let groups = metadata.groupedByName
    #expect(groups.map(\.name) == ["x-b", "x-a-bin", "x-c"])
    #expect(groups.map(\.values) == [["1", "2"], [.binary([1]), .binary([])], [""]])
    #expect(Metadata().groupedByName.isEmpty)
  }

  @Test func redactsCredentialsInDescriptions() throws {
    var metadata: Metadata = [
      "x-a": "1", "x-a": "2", "authorization": "hidden", "x-bin": .binary([0xAB]),
    ]
    try metadata.append("x-pin", "hidden")
    try metadata.append("x-pin", "hidden", isSensitive: true)
    let groups = metadata.groupedByName
    #expect(
      groups.map(\.description) == [
        "x-a: 1, 2", "authorization: <redacted>", "x-bin: qw", "x-pin: <redacted>, <redacted>",
      ])
    #expect(groups.map(\.isSensitive) == [false, true, false, true])
  }
}
