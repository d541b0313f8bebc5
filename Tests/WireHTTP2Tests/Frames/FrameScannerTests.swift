import TestSupport
import Testing

@testable import WireHTTP2

@Suite struct FrameScannerTests {
  static let frames: [RawFrame] = [
    .settings((1, 2)), .ping(3, acknowledge: true), .data(1, Array(repeating: 9, count: 300)),
    .data(0x7fff_ffff, [], endStream: true), RawFrame(type: 0xee, flags: 0xff, stream: 5, [1]),
  ]

  @Test(arguments: [1, 2, 8, 9, 10, 300, 10_000])
  func findsFrameHeadersInPiecesOfAnySize(_ capacity: Int) {
    var scanner = FrameScanner(skipping: FrameScanner.clientPreface)
    var found: [HTTP2Frame] = []
    var rest = (RawFrame.clientPreface + Self.frames.flatMap(\.bytes))[...]
    while !rest.isEmpty {
      Array(rest.prefix(capacity)).withUnsafeBytes { scanner.scan($0) { found.append($0) } }
      rest = rest.dropFirst(capacity)
    }
    let expected = Self.frames.map {
      HTTP2Frame(
        type: $0.type, flags: $0.flags, streamID: StreamID($0.stream), length: $0.payload.count)
    }
    #expect(found == expected)
  }

  @Test func reservedBitIsIgnored() {
    var scanner = FrameScanner(skipping: 0)
    var found: [HTTP2Frame] = []
    let bytes: [UInt8] = [0, 0, 0, 8, 0, 0xff, 0xff, 0xff, 0xff]
    bytes.withUnsafeBytes { scanner.scan($0) { found.append($0) } }
    #expect(found.map(\.streamID) == [.max])
  }
}
