import Testing
import WireIO

@testable import WireTransport

@Suite struct MemoryStreamTests {
  /// A user that sends bytes and keeps what it receives.
  final class User: ByteStreamUser {
    private let stream: MemoryStream
    private var unsent: [UInt8]
    private(set) var received: [UInt8] = []
    private(set) var hasConnected = false
    private(set) var ends = 0
    var onEvent: () -> Void = {}

    init(_ stream: MemoryStream, sends bytes: [UInt8] = []) {
      self.stream = stream
      unsent = bytes
      stream.user = self
    }

    func streamReached(_ stage: StreamStage) { hasConnected = true }

    func streamReceived(_ bytes: UnsafeRawBufferPointer) { unsafe received += bytes }

    func streamPaused() { onEvent() }

    func streamFill(_ buffer: inout [UInt8]) {
      buffer += unsent.prefix(10_000)
      unsent.removeFirst(min(10_000, unsent.count))
    }

    func streamEnded(_ end: StreamEnd) {
      ends += 1
      onEvent()
    }
  }

  /// Runs `body` on a loop until it calls its argument.
  private func onLoop(
    _ body: @escaping @Sendable (EventLoop, @escaping () -> Void) -> Void
  ) async throws {
    let loop = try EventLoop.start(name: "test")
    await withCheckedContinuation { continuation in
      loop.execute { body(loop) { continuation.resume() } }
    }
    loop.stop()
  }

  /// More than the streams hold.
  private static let large = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  @Test func bytesArriveInOrderInBothDirections() async throws {
    try await onLoop { loop, done in
      let (client, server) = MemoryStream.pair(on: loop)
      let first = User(client, sends: Self.large)
      let second = User(server, sends: Self.large.reversed())
      let check = {
        guard first.received.count + second.received.count == 2_000_000 else { return }
        #expect(first.hasConnected && !second.hasConnected)
        #expect(second.received == Self.large)
        #expect(first.received == Self.large.reversed())
        (first.onEvent, second.onEvent) = ({}, {})
        client.abort()
        done()
      }
      (first.onEvent, second.onEvent) = (check, check)
      server.flush()
    }
  }

  /// With all bytes that were sent before, and no event at the end that was closed.
  @Test func theOtherEndIsToldOfTheEnd() async throws {
    try await onLoop { loop, done in
      let (client, server) = MemoryStream.pair(on: loop)
      var closed = 0
      server.onClose = { closed += 1 }
      let first = User(client, sends: Array(Self.large.prefix(30_000)))
      let second = User(server)
      client.close()
      client.close()
      second.onEvent = {
        guard second.ends > 0 else { return }
        #expect(second.received.count == 30_000)
        #expect(closed == 1)
        #expect(!server.isOpen)
        #expect(first.ends == 0)
        second.onEvent = {}
        done()
      }
    }
  }

  @Test func nothingIsReadWhileReadingIsPaused() async throws {
    try await onLoop { loop, done in
      let (client, server) = MemoryStream.pair(on: loop)
      let first = User(client, sends: Self.large)
      let second = User(server)
      server.isReading = false
      loop.schedule(after: .milliseconds(1)) {
        #expect(first.hasConnected)
        #expect(second.received.isEmpty)
        #expect(client.hasUnsentBytes)
        second.onEvent = {
          guard second.received.count == Self.large.count else { return }
          second.onEvent = {}
          client.abort()
          done()
        }
        server.isReading = true
      }
    }
  }
}
