package import WireIO

/// One end of a connection within the process and on one loop.
package final class MemoryStream: LowestStream {
  /// The most bytes that wait for the user at the other end.
  private static let capacity = 64 << 10

  package var user: (any ByteStreamUser)?
  package var onClose: (() -> Void)?
  package private(set) var isOpen = true
  package var hasUnsentBytes: Bool { peer.map { !$0.canReceive } ?? false }
  package var isReading = true {
    didSet { if isReading != oldValue { deliverLater() } }
  }

  private let loop: EventLoop
  private let isDialed: Bool
  private var peer: MemoryStream?
  private var hasConnected = false
  private var received: [UInt8] = []
  private var hasEnded = false
  private var delivery: LoopTimer?
  private var canReceive: Bool { received.count < Self.capacity }

  private init(_ loop: EventLoop, isDialed: Bool) {
    self.loop = loop
    self.isDialed = isDialed
  }

  /// Returns both ends, which are open. Called on the loop only.
  package static func pair(on loop: EventLoop) -> (client: MemoryStream, server: MemoryStream) {
    let client = MemoryStream(loop, isDialed: true)
    let server = MemoryStream(loop, isDialed: false)
    (client.peer, server.peer) = (server, client)
    client.deliverLater()
    return (client, server)
  }

  package func flush() {
    while isOpen, let peer, peer.canReceive {
      // Moved out while the layers above fill it, because they may use this layer.
      var bytes: [UInt8] = []
      swap(&bytes, &peer.received)
      let before = bytes.count
      user?.streamFill(&bytes)
      swap(&bytes, &peer.received)
      guard peer.received.count > before else { return }
      peer.deliverLater()
    }
  }

  package func close() {
    flush()
    abort()
  }

  package func abort() {
    guard isOpen else { return }
    isOpen = false
    user = nil
    delivery?.cancel()
    let peer = peer.take()
    peer?.hasEnded = true
    peer?.deliverLater()
    onClose.take()?()
  }

  /// In a round of its own, because both ends would call each other within one call.
  private func deliverLater() {
    guard isOpen, delivery == nil else { return }
    delivery = loop.schedule(after: .zero) { [self] in
      delivery = nil
      deliver()
    }
  }

  private func deliver() {
    if isDialed, !hasConnected {
      hasConnected = true
      user?.streamReached(.connected)
      flush()
    }
    if isOpen, isReading, !received.isEmpty, let user {
      let bytes = received
      received = []
      unsafe bytes.withUnsafeBytes { unsafe user.streamReceived($0) }
      user.streamPaused()
      // The other end may wait for room.
      peer?.flush()
    }
    guard isOpen, hasEnded, received.isEmpty else { return }
    let user = user
    abort()
    user?.streamEnded(.closedByPeer)
  }
}
