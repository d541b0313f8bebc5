import Synchronization
import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPCClient
@testable import WireIO

@Suite(.timeLimit(.minutes(20))) struct MetricsTests {
  /// Records metrics, and returns them as text.
  private final class Counter: Sendable {
    private let recorded = Mutex<[ChannelMetric]>([])

    var metrics: [ChannelMetric] { recorded.withLock { $0 } }

    var text: [String] {
      metrics.map { metric in
        switch metric {
        case .callStarted(let path, let kind): "start \(path) \(kind)"
        case .callRetried(_, let failure): "retry \(failure.code)"
        case .callEnded(let measures): "end \(measures.code)"
        case .connectionOpened: "opened"
        case .connectionFailed(_, let failure): "failed \(failure.reason)"
        case .connectionClosed(_, let reason, _): "closed: \(reason)"
        }
      }
    }

    var ended: [CallMeasurements] {
      metrics.compactMap { if case .callEnded(let measures) = $0 { measures } else { nil } }
    }

    func count(_ metric: ChannelMetric) { recorded.withLock { $0.append(metric) } }
  }

  @Test func countsACallAndItsConnection() async throws {
    let counter = Counter()
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        stream == 1 ? [.frames(.reset(1, .refusedStream))] : [okResponse(stream)]
      })
    let channel = try Channel(to: server) { $0.metrics = counter.count }
    #expect(await channel.call().message == [7, 8])
    await channel.close()
    #expect(
      counter.text == [
        "start /s/m unary", "opened", "retry UNAVAILABLE", "end OK",
        "closed: the connection is no longer needed",
      ])
    let measures = try #require(counter.ended.first)
    #expect(measures.path == "/s/m")
    #expect(measures.attempts == 2)
    #expect((measures.messagesSent, measures.bytesSent) == (1, 3))
    #expect((measures.messagesReceived, measures.bytesReceived) == (1, 2))
    #expect(measures.duration > .zero)
    await server.stop()
  }

  @Test func countsAStream() async throws {
    let counter = Counter()
    let server = try await ScriptedServer.start(
      frameScript { _, frame in
        frame.kind == .headers
          ? [.frames(.headers(1, okHeaders), .data(1, framed([1, 2]) + framed([3])))] : []
      })
    let channel = try Channel(to: server) { $0.metrics = counter.count }
    let call = channel.open()
    try await call.send([1, 2, 3])
    _ = try await call.next()
    _ = try await call.next()
    call.cancel()
    #expect(await call.rest().error?.code == .cancelled)
    let measures = try #require(counter.ended.first)
    #expect((measures.code, measures.kind) == (.cancelled, .bidirectional))
    #expect((measures.messagesSent, measures.bytesSent) == (1, 3))
    #expect((measures.messagesReceived, measures.bytesReceived) == (2, 3))
    await server.stop()
  }

  @Test func countsAFailedConnection() async throws {
    let counter = Counter()
    let address = SocketAddress.closed
    let channel = try Channel(
      target: address.description,
      configuration: ChannelConfiguration(
        security: .plaintext, failFast: true, metrics: counter.count))
    _ = await channel.call()
    #expect(counter.text == ["start /s/m unary", "failed refused", "end UNAVAILABLE"])
    #expect(counter.ended.first?.attempts == 0)
    #expect(counter.ended.first?.messagesSent == 0 && counter.ended.first?.bytesSent == 0)
    await channel.close()
  }

  @Test func countsACallThatIsNeverSent() async throws {
    let counter = Counter()
    let channel = try Channel(
      target: "localhost:1", configuration: ChannelConfiguration(metrics: counter.count))
    _ = await channel.call { $0.maxSendMessageSize = 1 }
    #expect(counter.text == ["start /s/m unary", "end RESOURCE_EXHAUSTED"])
  }
}
