import Testing

@testable import WireHTTP2

@Suite struct OutboundBodyTests {
  private func read(_ body: OutboundBody, _ capacity: Int) -> (bytes: [UInt8], isLast: Bool) {
    var target = [UInt8](repeating: 0, count: capacity)
    let read = target.withUnsafeMutableBytes { body.read(into: $0) }
    return (Array(target.prefix(read.count)), read.end != nil)
  }

  @Test func bytesAreReadInOrder() {
    let body = OutboundBody()
    body.append([1, 2, 3], end: .open)
    #expect(read(body, 2) == ([1, 2], false))
    body.append([4], end: .endStream)
    #expect(read(body, 10) == ([3, 4], true))
    #expect(read(body, 10) == ([], true))
  }

  @Test func bytesAfterTheEndAreIgnored() {
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

  @Test func bodyMayBeReadWhileItGrows() {
    let body = OutboundBody()
    var received: [UInt8] = []
    var sent: [UInt8] = []
    for turn in 0..<100 {
      let more = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 7 + turn) }
      sent += more
      body.append(more, end: .open)
      received += read(body, 9000).bytes
    }
    while true {
      let (bytes, isLast) = read(body, 16_384)
      received += bytes
      if isLast { break }
    }
    #expect(received == sent)
  }

  @Test(arguments: [1, 2, 7, 100, 40_000, 1 << 20])
  func piecesOfAnySizeAreReadInOrder(capacity: Int) {
    let pieces = [3, 0, 10, 40_000, 5, 6, 70_000, 1, 0].enumerated().map { index, count in
      [UInt8](repeating: UInt8(index), count: count)
    }
    let body = OutboundBody()
    for piece in pieces { body.append(piece, end: .open) }
    #expect(body.unsent == pieces.joined().count)
    body.append([], end: .endStream)
    var received: [UInt8] = []
    while true {
      let (bytes, isLast) = read(body, capacity)
      received += bytes
      if isLast { break }
      #expect(bytes.count == capacity)
    }
    #expect(received == Array(pieces.joined()))
    #expect(body.unsent == 0)
  }

  @Test func bodyMayGrowAfterItWasRead() {
    let body = OutboundBody()
    for round in 0..<3 as Range<UInt8> {
      body.append([round, 1], end: .open)
      body.append([round, 2], end: .open)
      #expect(read(body, 3).bytes + read(body, 3).bytes == [round, 1, round, 2])
    }
  }

  @Test func largePieceIsNotCopied() {
    let large = [UInt8](repeating: 1, count: 1 << 20)
    let body = OutboundBody()
    body.append([0], end: .open)
    body.append(large, end: .open)
    body.append([2], end: .open)
    _ = read(body, 2)
    let place = large.withUnsafeBytes { $0.baseAddress }
    #expect(body.next.withUnsafeBytes { $0.baseAddress } == place)
  }

  @Test func frameBoundariesAreKept() {
    let body = OutboundBody()
    body.append([1, 2], end: .open)
    body.append([3, 4, 5, 6], frames: [1, 0, 2], end: .open)
    body.append([7], end: .endStream)
    #expect(read(body, 10) == ([1, 2], false))
    #expect(read(body, 10) == ([3], false))
    #expect(read(body, 10) == ([], false))
    #expect(read(body, 1) == ([4], false))
    #expect(read(body, 10) == ([5], false))
    #expect(read(body, 10) == ([6], false))
    #expect(read(body, 10) == ([7], true))
  }

  @Test func emptyFramePrecedesTheEnd() {
    let body = OutboundBody()
    body.append([1], frames: [1, 0, 9], end: .endStream)
    #expect(read(body, 10) == ([1], false))
    #expect(read(body, 10) == ([], false))
    #expect(read(body, 10) == ([], true))
  }

  @Test func frameBoundariesOfSeveralPiecesAreKept() {
    let body = OutboundBody()
    body.append([1, 2], frames: [1], end: .open)
    body.append([3], frames: [], end: .open)
    body.append([4], end: .open)
    body.append([5, 6], frames: [0, 9, 9], end: .open)
    #expect(read(body, 10) == ([1], false))
    body.append([7], frames: [1], end: .open)
    for piece in [[2], [3], [4], [], [5, 6]] as [[UInt8]] {
      #expect(read(body, 10) == (piece, false))
    }
    // The end is reported at once.
    #expect(read(body, 10) == ([7], true))
    body.append([8], end: .endStream)
    #expect(read(body, 10) == ([8], true))
  }

  /// The time was quadratic once.
  @Test(.timeLimit(.minutes(20))) func timeIsLinearInTheNumberOfFrames() {
    let body = OutboundBody()
    body.append(
      [UInt8](repeating: 7, count: 1 << 20), frames: [Int](repeating: 1, count: 1 << 20),
      end: .endStream)
    var (frames, odd) = (0, 0)
    var room = [UInt8](repeating: 0, count: 16)
    while true {
      let read = room.withUnsafeMutableBytes { unsafe body.read(into: $0) }
      frames += 1
      if read.count != 1 { odd += 1 }
      if read.end != nil { break }
    }
    #expect((frames, odd) == (1 << 20, 0))
  }
}
