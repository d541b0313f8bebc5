import WireHTTP2
import WireIO
import WireTransport

extension ServerConnection: ByteStreamUser {
  /// The approximate number of bytes that the stream gets each time.
  private static let fillSize = 32 << 10

  /// The number of times that a turn gives bytes to the stream, before other connections have their
  /// turn: a client may read as fast as the server writes.
  private static let fillsPerTurn = 8

  func streamReached(_ stage: StreamStage) {
    if activity == .idle { beginTurn() }
  }

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    if activity == .idle { beginTurn() }
    lifecycle.received(now: now)
    session.receive(bytes)
  }

  func streamPaused() {
    if activity == .idle { beginTurn() }
    guard activity == .receiving else { return }
    takeEvents()
    flush()
  }

  private func beginTurn() {
    activity = .receiving
    now = .now
  }

  /// Called when the stream has sent all earlier bytes.
  func streamFill(_ buffer: inout [UInt8]) {
    guard lifecycle.phase != .closed else { return }
    switch activity {
    case .receiving:
      return
    case .idle:
      // The socket accepts bytes again.
      lifecycle.progressed(now: .now)
      return continueLater()
    case .sending:
      break
    }
    if fillCount > 0 { lifecycle.progressed(now: now) }
    guard fillCount < Self.fillsPerTurn else { return continueLater() }
    fillCount += 1
    repeat {
      calls.takeFrames(into: &buffer)
      session.send(into: &buffer, limit: Self.fillSize)
      takeEvents()
    } while buffer.isEmpty && calls.performControlActions(now: now)
    isDrained = buffer.isEmpty
  }

  func streamEnded(_ end: StreamEnd) {
    close()
  }
}
