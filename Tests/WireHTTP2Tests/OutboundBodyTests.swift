import Testing

@testable import WireHTTP2

@Suite struct OutboundBodyTests {
  private func read(_ body: OutboundBody, _ capacity: Int) -> (bytes: [UInt8], isLast: Bool) {
    var target = [UInt8](repeating: 0, count: capacity)
    let read = target.withUnsafeMutableBytes { body.read(into: $0) }
    return (Array(target.prefix(read.count)), read.end != nil)
  }

  @Test func handsOutWhatWasAppendedInOrder() {
    let body = OutboundBody()
    body.append([1, 2, 3], end: .open)
    #expect(read(body, 2) == ([1, 2], false))
    body.append([4], end: .endStream)
    #expect(read(body, 10) == ([3, 4], true))
    #expect(read(body, 10) == ([], true))
  }

  @Test func nothingFollowsTheEnd() {
    let body = OutboundBody()
    body.append([1], end: .endStream)
    body.append([2], end: .open)
    var target: [UInt8] = [0, 0]
    let (count, end) = target.withUnsafeMutableBytes { body.read(into: $0) }
    #expect(count == 1)
    guard case .endStream = end else {
      Issue.record("the end was lost")
      return
    }
  }

  @Test func aLongBodySurvivesBeingCutDownWhileItGrows() {
    let body = OutboundBody()
    var got: [UInt8] = []
    var sent: [UInt8] = []
    for turn in 0..<100 {
      let more = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 7 + turn) }
      sent += more
      body.append(more, end: .open)
      got += read(body, 9000).bytes
    }
    while true {
      let (bytes, isLast) = read(body, 16_384)
      got += bytes
      if isLast { break }
    }
    #expect(got == sent)
  }
}
