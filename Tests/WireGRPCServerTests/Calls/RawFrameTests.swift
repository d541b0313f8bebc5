import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPCServer

@Suite struct RawFrameTests {
  @Test func frameIsEncodedUnchanged() {
    let frame = RawFrame(type: 1, flags: 5, stream: nil, payload: [9, 8])
    #expect(frame.bytes(on: 0x0102_0305) == [0, 0, 2, 1, 5, 1, 2, 3, 5, 9, 8])
    let other = RawFrame(type: 250, flags: 0, stream: 0, payload: [])
    #expect(other.bytes(on: 7) == [0, 0, 0, 250, 0, 0, 0, 0, 0])
  }

  @Test(arguments: [0, 1, 126, 127, 128, 254, 255, 300, 20_000])
  func headerBlockIsDecodable(length: Int) throws {
    let value = String(repeating: "v", count: length)
    let block = RawFrame.block([HeaderField(":status", "200"), HeaderField("x", value)])
    var frames = HTTP2Configuration()
    frames.maxHeaderListSize = 1 << 20
    let client = try GRPCClient(frames)
    let stream = try client.send("/a/b", [])
    _ = client.output()
    client.receive([0, 0, 0, 4, 0, 0, 0, 0, 0])
    for (index, start) in Swift.stride(from: 0, to: block.count, by: 16_000).enumerated() {
      let isLast = start + 16_000 >= block.count
      let part = Array(block[start..<min(start + 16_000, block.count)])
      client.receive(
        RawFrame(type: index == 0 ? 1 : 9, flags: isLast ? 4 : 0, stream: nil, payload: part)
          .bytes(on: stream))
    }
    #expect(
      client.replies[stream]?.headers == [HeaderField(":status", "200"), HeaderField("x", value)])
  }
}
