import Testing
import WireHTTP2

@Suite struct SequenceNumberTests {
  /// A frame on stream 0 or 2 is not one of stream 1 or 3.
  @Test func neighboursAreNotEqual() {
    let streams = (StreamID(0)...100).map { SequenceNumber($0) }
    #expect(Set(streams).count == 101)
    #expect(streams.map(\.stream) == Array(0...100))
  }

  /// What is in use together lies apart: a table of twice as many places has few that are shared.
  @Test(arguments: [1, 2]) func numbersInARowAreSpread(step: Int) {
    for begin in [1, 1 << 20, Int(Int32.max) - 4000] {
      let places = stride(from: begin, to: begin + 1000 * step, by: step).map {
        SequenceNumber(UInt64($0))._rawHashValue(seed: 0) & 2047
      }
      #expect(Set(places).count > 700)
    }
  }
}
