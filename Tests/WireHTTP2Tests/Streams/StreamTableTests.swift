import TestSupport
import Testing

@testable import WireHTTP2

@Suite struct StreamTableTests {
  /// Compares the table with a dictionary, also with IDs that share a slot.
  @Test(arguments: [2, 32, 6]) func behavesLikeADictionary(distance: StreamID) {
    var dice = SplitMix(state: 3)
    var table = StreamTable<Int>()
    var dictionary: [StreamID: Int] = [:]
    for turn in 0..<4_000 {
      let id = 1 + distance * StreamID.random(in: 0..<80, using: &dice)
      switch turn % 3 {
      case 0:
        #expect(table.removeValue(forKey: id) == dictionary.removeValue(forKey: id))
      case 1:
        let value = turn % 7 == 0 ? nil : turn
        table[id] = value
        dictionary[id] = value
      default:
        #expect(table[id] == dictionary[id])
      }
      #expect(table.count == dictionary.count)
      #expect(table.isEmpty == dictionary.isEmpty)
    }
    #expect(table.keys.sorted() == dictionary.keys.sorted())
    for id in table.keys { #expect(table[id] == dictionary[id]) }
  }

  /// Stream 0 is the connection.
  @Test func idsBelowOneHaveNoValue() {
    var table = StreamTable<Int>()
    table[0] = 7
    table[-1] = 7
    #expect(table[0] == nil)
    #expect(table[-1] == nil)
    #expect(table.isEmpty)
    table[3] = 7
    #expect(table.removeValue(forKey: 0) == nil)
    #expect(table.keys == [3])
  }
}
