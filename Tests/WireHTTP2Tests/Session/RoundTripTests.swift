import TestSupport
import Testing
import WireHTTP2

/// A client session and a server session, through a pipe that splits the bytes anywhere.
@Suite struct RoundTripTests {
  @Test(arguments: [1, 2, 3, 7, 9, 64, 1000, Int.max])
  func aCallCrossesInPiecesOfAnySize(_ capacity: Int) throws {
    let pipe = try BytePipe(
      client: HTTP2ClientSession(), server: HTTP2ServerSession(), capacity: capacity)
    let request = [
      HeaderField(":method", "POST"), HeaderField(":scheme", "http"),
      HeaderField(":path", "/a.B/C"), HeaderField(":authority", "localhost"),
      HeaderField("te", "trailers"), HeaderField("content-type", "application/grpc"),
      HeaderField("authorization", "Bearer x", isSensitive: true),
    ]
    let status = [HeaderField(":status", "200"), HeaderField("content-type", "application/grpc")]
    let trailers = [HeaderField("grpc-status", "0"), HeaderField("grpc-message", "")]
    let answer = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
    let stream = try pipe.client.submitRequest(request, body: [1, 2, 3], endStream: true)
    #expect(stream == 1)

    var (got, asked) = (Transcript(), Transcript())
    pipe.run(
      client: { got.note($0) },
      server: { event in
        asked.note(event)
        guard case .headers(let id, _, _) = event else { return }
        pipe.server.submitResponse(id, status, endStream: false)
        pipe.server.sendData(id, answer, endStream: false)
        pipe.server.submitTrailers(id, trailers)
      })
    #expect(asked.headers == [request])
    #expect(asked.body == [1, 2, 3])
    #expect(asked.closures == [.finished])
    #expect(got.headers == [status])
    #expect(got.body == answer)
    #expect(got.trailers == [trailers])
    #expect(got.closures == [.finished])
    #expect(got.failures.isEmpty && asked.failures.isEmpty)
    #expect(pipe.client.activeStreams == 0 && pipe.server.activeStreams == 0)
  }
}
