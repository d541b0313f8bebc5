import WireHTTP2
import WireIO
import WireSystem

/// The server on its loop: accepts connections, looks after them, and ends them.
actor ReplayEngine {
  private let loop: EventLoop
  private let listener: Listener
  private let service: ReplayService
  private var accepting: Watch?
  private var connections: [Int: ServerConnection] = [:]
  private var nextID = 0
  private var sweeper: LoopTimer?
  private var drained: [CheckedContinuation<Void, Never>] = []
  private let sweepInterval: Duration

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// - Parameter sweepInterval: how often the server ends what takes too long.
  init(
    _ book: AnswerBook, _ configuration: ReplayConfiguration, listener: sending Listener,
    loop: EventLoop, sweepInterval: Duration = .milliseconds(250)
  ) {
    self.loop = loop
    self.listener = listener
    self.sweepInterval = sweepInterval
    service = ReplayService(book, configuration)
  }

  func start() {
    accepting = loop.watch(listener.fileDescriptor, for: .read) { _ in self.accept() }
  }

  /// Says goodbye to every client and returns when all are gone, or were sent away.
  func drain() async {
    accepting?.cancel()
    listener.close()
    let now = ContinuousClock.now
    service.stop()
    for connection in connections.values { connection.shutDown(now: now) }
    guard !connections.isEmpty else { return }
    loop.schedule(at: now + service.limits.drainTime) {
      for connection in self.connections.values { connection.close() }
    }
    await withCheckedContinuation { drained.append($0) }
  }

  /// Ends what takes too long, on every connection.
  func sweep(now: ContinuousClock.Instant) {
    service.wasCrowded = service.isCrowded
    for connection in connections.values { connection.sweep(now: now) }
  }

  private func accept() {
    defer { scheduleSweep() }
    while connections.count < service.limits.connections, !service.isCrowded {
      do throws(IOError) {
        guard let socket = try listener.accept() else { return }
        open(socket)
      } catch {
        // No descriptor is free: the next sweep looks again.
        break
      }
    }
    accepting?.update([])
  }

  private func open(_ socket: Socket) {
    let id = nextID
    nextID += 1
    let connection = try? ServerConnection(
      socket, service, now: .now, onReady: { self.accepting?.update(.read) },
      onClose: { self.closed(id) })
    // Without memory for a session the client is turned away.
    connections[id] = connection
    connection?.start(on: loop)
  }

  private func closed(_ id: Int) {
    connections[id] = nil
    accepting?.update(.read)
    guard connections.isEmpty else { return }
    for waiting in drained { waiting.resume() }
    drained = []
  }

  private func scheduleSweep() {
    guard sweeper == nil else { return }
    sweeper = loop.schedule(at: .now + sweepInterval) {
      self.sweeper = nil
      self.sweep(now: .now)
      self.accepting?.update(.read)
      if !self.connections.isEmpty { self.scheduleSweep() }
    }
  }
}
