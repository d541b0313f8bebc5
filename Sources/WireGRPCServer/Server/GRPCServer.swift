package import WireIO
import WireSystem

/// A gRPC server on its loop: accepts connections, ends those that take too long, and drains.
package actor GRPCServer {
  private let loop: EventLoop
  private let listener: Listener
  private let context: ServerContext
  private var accepting: Watch?
  private var connections: [Int: ServerConnection] = [:]
  private var nextID = 0
  private var sweeper: LoopTimer?
  private var drainWaiters: [CheckedContinuation<Void, Never>] = []
  private let sweepInterval: Duration

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// - Parameter sweepInterval: the interval at which the server looks for connections that take too
  ///   long.
  package init(
    _ handler: sending any CallHandler, _ configuration: ServerConfiguration,
    listener: sending Listener, loop: EventLoop, sweepInterval: Duration = .milliseconds(250)
  ) {
    self.loop = loop
    self.listener = listener
    self.sweepInterval = sweepInterval
    context = ServerContext(handler, configuration)
  }

  package func start() {
    accepting = loop.watch(listener.fileDescriptor, for: .read) { _ in self.accept() }
  }

  /// Stops accepting connections and calls, and returns once every connection is closed. Open calls
  /// have ``ServerLimits/drainTime`` to end.
  package func drain() async {
    accepting?.cancel()
    listener.close()
    let now = ContinuousClock.now
    context.handler.shutDown()
    for connection in connections.values { connection.shutDown(now: now) }
    guard !connections.isEmpty else { return }
    loop.schedule(at: now + context.limits.drainTime) {
      for connection in self.connections.values { connection.abort() }
    }
    await withCheckedContinuation { drainWaiters.append($0) }
  }

  /// Ends everything that takes too long, on every connection.
  func sweep(now: ContinuousClock.Instant) {
    context.wasCrowded = context.isCrowded
    for connection in connections.values { connection.sweep(now: now) }
  }

  private func accept() {
    defer { scheduleSweep() }
    while connections.count < context.limits.connections, !context.isCrowded {
      do throws(IOError) {
        guard let socket = try listener.accept() else { return }
        open(socket)
      } catch {
        // No file descriptor is free: the next sweep tries again.
        break
      }
    }
    accepting?.update([])
  }

  private func open(_ socket: Socket) {
    let id = nextID
    nextID += 1
    let connection = try? ServerConnection(
      socket, context, loop, now: .now, onReady: { self.accepting?.update(.read) },
      onClose: { self.closed(id) })
    // Without memory for a session the connection is dropped.
    connections[id] = connection
    connection?.start()
  }

  private func closed(_ id: Int) {
    connections[id] = nil
    accepting?.update(.read)
    guard connections.isEmpty else { return }
    for waiter in drainWaiters { waiter.resume() }
    drainWaiters = []
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
