import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPCClient

@Suite struct HeaderMemoTests {
  @Test func parsesOnlyListsThatDiffer() {
    final class Count { var value = -1 }
    let parsed = Count()
    var names = HeaderMemo { fields in
      parsed.value += 1
      return fields.map(\.name)
    }
    func expect(_ list: [HeaderField], _ expected: [String], _ count: Int) {
      let found = names(list)
      #expect(found == expected && parsed.value == count)
    }
    expect([], [], 0)
    expect(fields(["a": "1"]), ["a"], 1)
    expect(fields(["a": "1"]), ["a"], 1)
    expect(fields(["a": "2"]), ["a"], 2)
    expect(fields(["a": "2", "b": "3"]), ["a", "b"], 3)
    expect([], [], 4)
  }
}
