import TestSupport
import WireTLS

@testable import WireIO

/// A server on loopback whose script returns the reaction to each frame. It uses no HTTP/2 library.
actor ScriptedServer {
  enum Event: Sendable {
    /// A connection was accepted and its TLS handshake, if any, is complete.
    case accepted
    case frame(RawFrame)
  }

  enum Action: Sendable {
    case send([UInt8])
    case close
    /// Closes with bytes unread, as a killed process does: the peer receives RST.
    case reset

    static func frames(_ frames: RawFrame...) -> Action { .send(frames.flatMap(\.bytes)) }
  }

  /// Receives the number of the connection, from 0, and its event.
  typealias Script = @Sendable (_ connection: Int, _ event: Event) -> [Action]

  private struct Wait {
    var id: Int
    var matches: (Int, RawFrame) -> Bool
    var done: CheckedContinuation<RawFrame, Never>
  }

  private let loop: EventLoop
  private let listener: Listener
  private let script: Script
  private let tls: TLSContext?
  private var watch: Watch?
  private var peers: [Int: ScriptedServerPeer] = [:]
  private var accepted = 0
  private var received: [(connection: Int, frame: RawFrame)] = []
  private var waits: [Wait] = []
  private var endWaits: [Int: [(id: Int, done: CheckedContinuation<Void, Never>)]] = [:]
  private var lastWait = 0
  nonisolated let address: SocketAddress
  nonisolated var target: String { address.description }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Listens on `address`, or on a free port of 127.0.0.1.
  static func start(
    on address: SocketAddress? = nil, tls: TLSContext? = nil, _ script: @escaping Script
  ) async throws -> ScriptedServer {
    let loop = try EventLoop.start(name: "scripted server")
    let server = try ScriptedServer(loop, address ?? .loopback, tls, script)
    await server.listen()
    return server
  }

  private init(
    _ loop: EventLoop, _ address: SocketAddress, _ tls: TLSContext?, _ script: @escaping Script
  ) throws {
    self.loop = loop
    self.tls = tls
    self.script = script
    listener = try Listener(on: address)
    self.address = listener.localAddress
  }

  private func listen() {
    watch = loop.watch(listener.fileDescriptor, for: .read) { _ in
      while let socket = try? self.listener.accept() { self.accept(socket) }
    }
  }

  private func accept(_ socket: Socket) {
    let number = accepted
    accepted += 1
    let peer = ScriptedServerPeer(
      socket, tls.flatMap { try? TLSEngine(context: $0, role: .server) }, on: loop)
    peers[number] = peer
    peer.start(
      begun: { self.perform(self.script(number, .accepted), on: number) },
      frame: { self.receive($0, on: number) }, ended: { self.ended(number) })
  }

  private func receive(_ frame: RawFrame, on number: Int) {
    received.append((number, frame))
    waits.removeAll { wait in
      guard wait.matches(number, frame) else { return false }
      wait.done.resume(returning: frame)
      return true
    }
    perform(script(number, .frame(frame)), on: number)
  }

  private func ended(_ number: Int) {
    guard peers.removeValue(forKey: number) != nil else { return }
    for wait in endWaits.removeValue(forKey: number) ?? [] { wait.done.resume() }
  }

  /// Writes the bytes of consecutive sends together, so that the client reads them together.
  private func perform(_ actions: [Action], on number: Int) {
    var unsent: [UInt8] = []
    for action in actions {
      if case .send(let bytes) = action {
        unsent += bytes
        continue
      }
      send(unsent, on: number)
      unsent = []
      if case .reset = action { peers[number]?.reset() } else { peers[number]?.close() }
      ended(number)
    }
    send(unsent, on: number)
  }

  private func send(_ bytes: [UInt8], on number: Int) {
    if !bytes.isEmpty { peers[number]?.send(bytes) }
  }

  // MARK: For tests

  /// The number of accepted connections.
  var connections: Int { accepted }

  /// Returns the frames of one kind received so far.
  func received(_ kind: RawFrame.Kind, on connection: Int) -> [RawFrame] {
    received.filter { $0.connection == connection && $0.frame.kind == kind }.map(\.frame)
  }

  /// Waits for such a frame. Returns an empty one if the test exceeds its time limit, so that it
  /// ends.
  func frame(
    _ kind: RawFrame.Kind, on connection: Int = 0,
    where matches: @escaping (RawFrame) -> Bool = { _ in true }
  ) async -> RawFrame {
    lastWait += 1
    let id = lastWait
    return await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        // Checked here, where no other event can intervene.
        if let known = received(kind, on: connection).first(where: matches) {
          done.resume(returning: known)
        } else if Task.isCancelled {
          done.resume(returning: .none)
        } else {
          waits.append(
            Wait(
              id: id, matches: { $0 == connection && $1.kind == kind && matches($1) }, done: done))
        }
      }
    } onCancel: {
      Task { await cancelWait(id) }
    }
  }

  /// Waits until the connection is closed.
  func end(of connection: Int) async {
    lastWait += 1
    let id = lastWait
    await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        let isGone = accepted > connection && peers[connection] == nil
        if isGone || Task.isCancelled {
          done.resume()
        } else {
          endWaits[connection, default: []].append((id, done))
        }
      }
    } onCancel: {
      Task { await cancelWait(id) }
    }
  }

  private func cancelWait(_ id: Int) {
    waits.removeAll { wait in
      guard wait.id == id else { return false }
      wait.done.resume(returning: .none)
      return true
    }
    for connection in endWaits.keys {
      endWaits[connection]?.removeAll { wait in
        guard wait.id == id else { return false }
        wait.done.resume()
        return true
      }
    }
  }

  /// Performs actions outside of the script.
  func act(_ connection: Int, _ actions: Action...) {
    perform(actions, on: connection)
  }

  /// Sets whether the server reads from the connection.
  func read(_ connection: Int, _ doesRead: Bool) {
    peers[connection]?.read(doesRead)
  }

  /// Refuses further connections.
  func stopListening() {
    watch?.cancel()
    listener.close()
    // Otherwise another test's server could get the port, and with it the connections.
    ClosedPort.keep(address.port ?? 0)
  }

  func stop() {
    watch?.cancel()
    listener.close()
    for (number, peer) in peers {
      peer.close()
      ended(number)
    }
    loop.stop()
  }
}

extension RawFrame {
  /// A placeholder for a frame that never arrived.
  fileprivate static let none = RawFrame(type: .max)
}

extension SocketAddress {
  /// A free port of 127.0.0.1.
  static var loopback: SocketAddress { SocketAddress(numericHost: "127.0.0.1", port: 0)! }

  /// An address that refuses connections.
  static let closed = SocketAddress(numericHost: "127.0.0.1", port: ClosedPort.ipv4)!
  /// Another address that refuses connections.
  static let otherClosed = SocketAddress(numericHost: "127.0.0.1", port: ClosedPort.otherIPv4)!
}
