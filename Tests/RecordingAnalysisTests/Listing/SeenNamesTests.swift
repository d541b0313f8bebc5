import Testing

@testable import RecordingAnalysis

@Suite struct SeenNamesTests {
  @Test func keepsTheFirstEightDifferentNames() {
    var names = SeenNames()
    for index in 0..<20 { names.add("t\(index % 10)", isWanted: false) }
    #expect(names.others == (0..<8).map { "t\($0)" })
    #expect(!names.hasWanted)
    names.add("wanted", isWanted: true)
    #expect(names.hasWanted && names.others.count == 8)
  }
}
