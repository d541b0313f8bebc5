package import Recording
import WireGRPC
package import WireIO

/// A gRPC server (plaintext HTTP/2) that answers from a recording.
///
///     let server = try ReplayServer(recording: RecordedCalls(path: "demo.binlog"))
///     let address = try await server.start()
///     …
///     await server.stop()
///
/// Requests are matched by method and bytes, then by what they ask for, then by resource name;
/// what is not in the recording is refused with a list of what is. Once started, stop it: it has a
/// thread and sockets.
package final class ReplayServer: Sendable {
  /// What of the recording can not be replayed, and why.
  package let warnings: [String]

  private let book: AnswerBook
  private let address: SocketAddress
  private let limits: ServerLimits
  private let running = Locked<(engine: ReplayEngine, loop: EventLoop)?>(nil)

  /// - Parameter listen: a numeric host and a port, "127.0.0.1:50051" or "[::1]:0"; with port 0 the
  ///   kernel picks one.
  /// - Throws: ``ReplayError`` when `listen` is no such thing, or nothing can be replayed.
  package convenience init(
    recording: RecordedCalls, listen: String = "127.0.0.1:0"
  ) throws(ReplayError) {
    try self.init(recording: recording, listen: listen, limits: ServerLimits())
  }

  init(
    recording: RecordedCalls, listen: String, limits: ServerLimits
  ) throws(ReplayError) {
    book = AnswerBook(recording.calls)
    warnings = book.omissions
    guard book.count > 0 else {
      throw ReplayError("nothing to replay: \(warnings.first ?? "the recording holds no calls")")
    }
    address = try Self.parse(listen)
    self.limits = limits
  }

  /// Listens, and returns where. A server that was stopped may start again.
  ///
  /// - Throws: ``ReplayError`` when the address is taken or not this machine's, or the server
  ///   runs already.
  package func start() async throws(ReplayError) -> SocketAddress {
    let (engine, bound) = try launch()
    await engine.start()
    return bound
  }

  /// Stops listening, lets the calls that are here end, for five seconds at most, and gives back
  /// every socket and the thread. A second call does nothing.
  package func stop() async {
    guard let (engine, loop) = running.withLock({ $0.take() }) else { return }
    await engine.drain()
    loop.stop()
  }

  private func launch() throws(ReplayError) -> (ReplayEngine, SocketAddress) {
    guard running.withLock({ $0 == nil }) else { throw ReplayError("the server runs already") }
    do throws(IOError) {
      let listener = try Listener(on: address)
      let bound = listener.localAddress
      let loop = try EventLoop.start(name: "replay")
      let engine = ReplayEngine(book, limits: limits, listener: listener, loop: loop)
      running.withLock { $0 = (engine, loop) }
      return (engine, bound)
    } catch {
      throw ReplayError("\(error)")
    }
  }
}

extension ReplayServer {
  /// Reads "127.0.0.1:50051", "[::1]:0" or "localhost:0".
  static func parse(_ listen: String) throws(ReplayError) -> SocketAddress {
    guard let place = try? HostAndPort(listen, lowestPort: 0), let port = place.port,
      let address = SocketAddress(
        numericHost: place.host == "localhost" ? "127.0.0.1" : place.host, port: port)
    else {
      throw ReplayError(
        "can not listen on \"\(listen)\": give a numeric address and a port, as 127.0.0.1:50051")
    }
    return address
  }
}
