package import WireIO
import WireSystem
package import WireTransport

/// A gRPC server on its loop: accepts connections, ends those that take too long, and drains.
package actor GRPCServer {
  private let loop: EventLoop
  private var listener: Listener?
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
    loop: EventLoop, sweepInterval: Duration = .milliseconds(250)
  ) {
    self.loop = loop
    self.sweepInterval = sweepInterval
    context = ServerContext(handler, configuration)
  }

  /// Accepts the connections of a listener.
  package func start(_ listener: sending Listener) {
    self.listener = listener
    accepting = loop.watch(listener.fileDescriptor, for: .read) { _ in self.accept() }
  }

  /// Stops accepting connections and calls, and returns once every connection is closed. Open calls
  /// have ``ServerLimits/drainTime`` to end.
  package func drain() async {
    accepting?.cancel()
    listener?.close()
    let now = loop.now
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
        guard let socket = try listener?.accept() else { return }
        open(
          SocketStream(
            accepted: socket, loop: loop, buffers: context.buffers,
            lingerTime: context.limits.lingerTime),
          peer: context.isObserved ? "\(socket.remoteAddress)" : "")
      } catch {
        // No file descriptor is free: the next sweep tries again.
        break
      }
    }
    accepting?.update([])
  }

  /// Connects a client of this process and loop, and returns its end. Called on the loop only.
  package nonisolated func connect() -> any ByteStream {
    let (client, server) = MemoryStream.pair(on: loop)
    // Safe because both ends live on the loop, as this actor does.
    nonisolated(unsafe) let accepted = server
    assumeIsolated {
      unsafe $0.open(accepted, peer: "in process")
      $0.scheduleSweep()
    }
    return client
  }

  private func open(_ stream: any LowestStream, peer: String) {
    let id = nextID
    nextID += 1
    stream.onClose = { self.closed(id) }
    let connection = try? ServerConnection(
      stream, peer: peer, context, loop, onReady: { self.accepting?.update(.read) })
    // Without memory for a session the connection is dropped.
    guard let connection else { return stream.abort() }
    connections[id] = connection
    connection.start()
  }

  private func closed(_ id: Int) {
    connections[id] = nil
    accepting?.update(.read)
    guard connections.isEmpty else { return }
    // It retains the server, and there is nothing to sweep.
    sweeper.take()?.cancel()
    for waiter in drainWaiters { waiter.resume() }
    drainWaiters = []
  }

  private func scheduleSweep() {
    guard sweeper == nil else { return }
    sweeper = loop.schedule(after: sweepInterval) {
      self.sweeper = nil
      self.sweep(now: self.loop.now)
      self.accepting?.update(.read)
      if !self.connections.isEmpty { self.scheduleSweep() }
    }
  }
}
