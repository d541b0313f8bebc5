import Testing

@testable import WireHTTP2

@Suite struct OpenedStreamsTests {
  private func opened(_ ids: StreamID...) -> OpenedStreams {
    var streams = OpenedStreams()
    for id in ids { streams.insert(id) }
    return streams
  }

  private func skipped(_ streams: OpenedStreams) -> [StreamID] {
    (0...20).map { 2 * $0 + 1 }.filter(streams.hasSkipped)
  }

  @Test func streamsInOrderSkipNone() {
    #expect(skipped(opened(1, 3, 5, 7)) == [])
    #expect(skipped(opened()) == [])
  }

  @Test func streamsBelowTheLastOneAreSkipped() {
    #expect(skipped(opened(5)) == [1, 3])
    #expect(skipped(opened(1, 7, 9, 15, 3)) == [3, 5, 11, 13])
  }

  @Test func largestStreamDoesNotOverflow() {
    let streams = opened(1, .max)
    #expect(streams.hasSkipped(.max - 2) && streams.hasSkipped(3) && !streams.hasSkipped(.max))
  }

  @Test func oldGapsAreForgotten() {
    var streams = OpenedStreams()
    for index in 0..<1000 { streams.insert(StreamID(4 * index + 1)) }
    #expect(!streams.hasSkipped(3) && streams.hasSkipped(4 * 999 - 1))
  }
}
