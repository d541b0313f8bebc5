import TestSupport
import WireSystem
import WireTLS

@testable import WireIO

/// A connection of a ``ScriptedServer``: frames in, bytes out. Runs on the server's loop.
final class ScriptedServerPeer {
  private let socket: Socket
  private let tls: TLSEngine?
  private let loop: EventLoop
  private var watch: Watch?
  private var unread: [UInt8] = []
  private var hasSkippedPreface = false
  private var hasBegun = false
  private var outgoing: [UInt8] = []
  private var begun: () -> Void = {}
  private var frame: (RawFrame) -> Void = { _ in }
  private var ended: () -> Void = {}

  init(_ socket: Socket, _ tls: TLSEngine?, on loop: EventLoop) {
    self.socket = socket
    self.tls = tls
    self.loop = loop
  }

  func start(
    begun: @escaping () -> Void, frame: @escaping (RawFrame) -> Void, ended: @escaping () -> Void
  ) {
    (self.begun, self.frame, self.ended) = (begun, frame, ended)
    watch = loop.watch(socket.fileDescriptor, for: .read) { [self] in isReady($0) }
    if tls == nil { begin() }
  }

  func send(_ bytes: [UInt8]) {
    if let tls {
      _ = bytes.withUnsafeBytes { try? tls.write($0) }
      drain()
    } else {
      outgoing += bytes
    }
    flush()
  }

  func close() {
    watch?.cancel()
    socket.close()
  }

  /// Sets whether to read; unread bytes stay in the socket.
  func read(_ doesRead: Bool) {
    watch?.update(doesRead ? .read : [])
  }

  func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<linger>.size)
    _ = setsockopt(socket.fileDescriptor, SOL_SOCKET, SO_LINGER, &now, size)
    close()
  }

  private func begin() {
    hasBegun = true
    begun()
  }

  private func isReady(_ readiness: Readiness) {
    if readiness.contains(.write) { flush() }
    guard readiness.contains(.read) else { return }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
    case .bytes(let count): receive(Array(buffer[..<count]))
    case .wouldBlock: break
    case .endOfStream, .failed:
      close()
      ended()
    }
  }

  private func receive(_ bytes: [UInt8]) {
    guard let tls else {
      take(bytes)
      return
    }
    defer { drain() }
    guard (try? bytes.withUnsafeBytes { try tls.receive($0) }) != nil else { return }
    if !hasBegun {
      guard case .done = try? tls.handshake() else { return }
      begin()
    }
    var plain = [UInt8](repeating: 0, count: 65_536)
    while let count = try? plain.withUnsafeMutableBytes({ try tls.read(into: $0) }), count > 0 {
      take(Array(plain[..<count]))
    }
  }

  private func take(_ bytes: [UInt8]) {
    unread += bytes
    if !hasSkippedPreface {
      guard unread.count >= RawFrame.clientPreface.count else { return }
      unread.removeFirst(RawFrame.clientPreface.count)
      hasSkippedPreface = true
    }
    for next in RawFrame.takeFrames(from: &unread) { frame(next) }
  }

  private func drain() {
    guard let tls else { return }
    var buffer = [UInt8](repeating: 0, count: max(1, tls.pendingCiphertext))
    let count = buffer.withUnsafeMutableBytes { tls.drain(into: $0) }
    outgoing += buffer[..<count]
    flush()
  }

  private func flush() {
    while !outgoing.isEmpty {
      guard case .bytes(let count) = outgoing.withUnsafeBytes({ socket.write($0) }) else {
        watch?.update([.read, .write])
        return
      }
      outgoing.removeFirst(count)
    }
    watch?.update(.read)
  }
}
