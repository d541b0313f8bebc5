import TestSupport
import Testing
import WireHTTP2

@Suite struct HTTP2FrameTests {
  @Test func traceContainsEveryFrame() throws {
    let (client, initial) = try Samples.client(HTTP2Configuration { $0.tracesFrames = true })
    var peer = initial
    client.ping(1)
    peer.send(
      .headers(1, Samples.response), .data(1, [1], padding: 3), RawFrame(type: 0xee, flags: 0x25),
      .headers(1, Samples.trailers, endStream: true))
    let length = literalHeaderBlock(Samples.response).count
    let end = literalHeaderBlock(Samples.trailers).count
    let request = peer.received(.headers).first?.payload.count ?? 0
    #expect(
      peer.events.frames == [
        "> SETTINGS stream=0 length=18",
        "> WINDOW_UPDATE stream=0 length=4",
        "< SETTINGS stream=0 length=0",
        "< SETTINGS stream=0 length=0 ACK",
        "> SETTINGS stream=0 length=0 ACK",
        "> HEADERS stream=1 length=\(request) END_HEADERS",
        "> DATA stream=1 length=3 END_STREAM",
        "< HEADERS stream=1 length=\(length) END_HEADERS",
        "< DATA stream=1 length=5 PADDED",
        "< FRAME_0xee stream=0 length=0 0x25",
        "< HEADERS stream=1 length=\(end) END_STREAM|END_HEADERS",
        "> PING stream=0 length=8",
      ])
  }

  @Test func framesAreNotTracedByDefault() throws {
    let (_, peer) = try Samples.client()
    #expect(peer.events.frames.isEmpty)
  }
}
