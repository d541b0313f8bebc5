import Testing

@testable import HTTPServer

@Suite struct FrameTableTests {
  private func text(_ table: FrameTable, after version: Int, limit: Int = .max) -> (String, Int) {
    let event = table.event(after: version, limit: limit, now: (1_700_000_000, 7_999_999))
    return (String(decoding: event.bytes, as: UTF8.self), event.version)
  }

  @Test func newPageReceivesTheReconnectDelay() {
    let expected = "retry: 1000\nevent: frames\ndata: {\"now\":1700000000.007,\"frames\":[]}\n\n"
    #expect(text(FrameTable(), after: -1) == (expected, 0))
  }

  @Test func anEventHasTheTripsThatChanged() {
    var table = FrameTable()
    table.update("a", Array("1".utf8))
    table.update("b", Array("2".utf8))
    table.update("a", Array("3".utf8))
    let (event, version) = text(table, after: 2)
    #expect(event.hasSuffix(#""frames":[{"name":"a","frame":3}]}"# + "\n\n"))
    #expect(version == 3)
  }

  @Test func aLongEventIsContinuedWithTheTripsThatChangedNext() {
    var table = FrameTable()
    for name in ["a", "b", "c"] { table.update(name, Array("1".utf8)) }
    table.update("a", Array("2".utf8))
    var version = -1
    var names: [Substring] = []
    while version < table.version {
      let (event, next) = text(table, after: version, limit: 1)
      names += event.split(separator: "\"name\":\"").dropFirst().map { $0.prefix(1) }
      #expect(next > version)
      version = next
    }
    #expect(names == ["b", "c", "a"])
  }

  @Test func aRemovedTripIsNotSent() {
    var table = FrameTable()
    for name in ["a", "b", "c"] { table.update(name, Array("1".utf8)) }
    table.remove("a")
    table.remove("nothing")
    table.update("c", Array("2".utf8))
    let expected = #""frames":[{"name":"b","frame":1},{"name":"c","frame":2}]}"# + "\n\n"
    #expect(text(table, after: -1).0.hasSuffix(expected))
    table.update("a", Array("3".utf8))
    #expect(text(table, after: 4).0.hasSuffix(#""frames":[{"name":"a","frame":3}]}"# + "\n\n"))
  }
}
