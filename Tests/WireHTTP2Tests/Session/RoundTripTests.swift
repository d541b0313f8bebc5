import TestSupport
import Testing
import WireHTTP2

/// A client session and a server session, connected by a pipe that splits the bytes.
@Suite struct RoundTripTests {
  @Test(arguments: [1, 2, 3, 7, 9, 64, 1000, Int.max])
  func callSucceedsInPiecesOfAnySize(_ capacity: Int) throws {
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
    let body = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
    let stream = try pipe.client.submitRequest(request, body: [1, 2, 3], endStream: true)
    #expect(stream == 1)

    var (clientEvents, serverEvents) = (SessionEvents(), SessionEvents())
    pipe.run(
      client: { clientEvents.record($0) },
      server: { event in
        serverEvents.record(event)
        guard case .headers(let id, _, _) = event else { return }
        pipe.server.submitResponse(id, status, endStream: false)
        pipe.server.sendData(id, body, endStream: false)
        pipe.server.submitTrailers(id, trailers)
      })
    #expect(serverEvents.headers == [request])
    #expect(serverEvents.body == [1, 2, 3])
    #expect(serverEvents.closures == [.finished])
    #expect(clientEvents.headers == [status])
    #expect(clientEvents.body == body)
    #expect(clientEvents.trailers == [trailers])
    #expect(clientEvents.closures == [.finished])
    #expect(clientEvents.failures.isEmpty && serverEvents.failures.isEmpty)
    #expect(pipe.client.activeStreams == 0 && pipe.server.activeStreams == 0)
  }
}
