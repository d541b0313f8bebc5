import WireHTTP2
import WireIO
import WireTransport

extension ServerConnection: ByteStreamUser {
  /// The number of bytes, approximately, that the stream gets each time.
  private static let fillSize = 32 << 10

  /// How often a turn gives bytes to the stream. Then other connections have their turn, because a client
  /// may read as fast as the server writes.
  private static let fillsPerTurn = 8

  func streamReached(_ milestone: StreamMilestone) {
    if turn == .none { beginTurn() }
  }

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    if turn == .none { beginTurn() }
    lifecycle.received(now: now)
    session.receive(bytes)
  }

  func streamPaused() {
    if turn == .none { beginTurn() }
    guard turn == .receiving else { return }
    takeEvents()
    flush()
  }

  private func beginTurn() {
    turn = .receiving
    now = .now
  }

  /// Called when the stream has sent all that it got before.
  func streamFill(_ buffer: inout [UInt8]) {
    guard lifecycle.phase != .closed else { return }
    switch turn {
    case .receiving:
      return
    case .none:
      // The socket takes bytes again.
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
