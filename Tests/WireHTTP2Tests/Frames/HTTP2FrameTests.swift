import TestSupport
import Testing
import WireHTTP2

@Suite struct HTTP2FrameTests {
  @Test func aTraceShowsEveryFrameOnTheWire() throws {
    let (client, asked) = try Samples.asked(HTTP2Configuration { $0.tracesFrames = true })
    var peer = asked
    client.ping(1)
    peer.say(
      .headers(1, Samples.answer), .data(1, [1], padding: 3), RawFrame(type: 0xee, flags: 0x25),
      .headers(1, Samples.trailers, endStream: true))
    let length = literalHeaderBlock(Samples.answer).count
    let end = literalHeaderBlock(Samples.trailers).count
    let request = peer.heard(.headers).first?.payload.count ?? 0
    #expect(
      peer.told.frames == [
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

  @Test func noTraceUnlessAskedFor() throws {
    let (_, peer) = try Samples.asked()
    #expect(peer.told.frames.isEmpty)
  }
}
