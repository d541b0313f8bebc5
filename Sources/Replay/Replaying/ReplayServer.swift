package import Recording
import WireGRPC
package import WireIO
import WireSystem

/// A gRPC server that answers from a recording or a script.
///
///     let server = try ReplayServer(recording: RecordedCalls(path: "demo.binlog"))
///     let address = try await server.start()
///     …
///     await server.stop()
///
/// A request matches a recorded one of the same method when all fields but header and version stamps are
/// equal, or, for a method that is not Fleet Engine's, all bytes. Other requests are refused with
/// NOT_FOUND and what differs. Once started, stop it: it has a thread and sockets.
package final class ReplayServer: Sendable {
  /// What of the source can not be replayed, and why.
  package let warnings: [String]

  /// How many calls it answers.
  package var callCount: Int { book.count }
  /// Of how many methods.
  package var methodCount: Int { book.methodCount }

  private let book: AnswerBook
  private let address: SocketAddress
  private let configuration: ReplayConfiguration
  private let running = Locked<(engine: ReplayEngine, loop: EventLoop)?>(nil)

  /// - Throws: ``ReplayError`` when it can not listen there, or nothing can be replayed.
  package convenience init(
    recording: RecordedCalls, _ configuration: ReplayConfiguration = .init()
  ) throws(ReplayError) {
    try self.init(.recording(recording), configuration)
  }

  /// - Throws: as ``init(recording:_:)``.
  package init(
    _ source: ReplaySource, _ configuration: ReplayConfiguration = .init()
  ) throws(ReplayError) {
    var configuration = configuration
    switch source {
    case .recording(let recording):
      book = AnswerBook(
        recording.calls, speed: configuration.speed, loops: configuration.loops)
    case .script(let script):
      book = AnswerBook(script, loops: configuration.loops)
      // Its delays are there to be kept.
      configuration.speed = configuration.speed ?? 1
    }
    warnings = book.omissions
    guard book.count > 0 else {
      throw ReplayError("nothing to replay: \(warnings.first ?? "the recording contains no calls")")
    }
    address = try Self.parse(configuration.listen)
    self.configuration = configuration
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
    guard running.withLock({ $0 == nil }) else {
      throw ReplayError("the server is already running")
    }
    do throws(IOError) {
      let listener = try listener()
      let bound = listener.localAddress
      let loop = try EventLoop.start(name: "replay")
      let engine = ReplayEngine(book, configuration, listener: listener, loop: loop)
      running.withLock { $0 = (engine, loop) }
      return (engine, bound)
    } catch {
      throw ReplayError("\(error)")
    }
  }
}

extension ReplayServer {
  private func listener() throws(IOError) -> Listener {
    do throws(IOError) {
      return try Listener(on: address, backlog: 1024)
    } catch {
      // ":50051" is for all addresses, also where there is no IPv6.
      let isWithoutIPv6 = [.addressFamilyNotSupported, .addressNotAvailable].contains(error.code)
      guard isWithoutIPv6, configuration.listen.hasPrefix(":"), let port = address.port,
        let address = SocketAddress(numericHost: "0.0.0.0", port: port)
      else { throw error }
      return try Listener(on: address, backlog: 1024)
    }
  }

  /// Reads "127.0.0.1:50051", "[::1]:0", "localhost:0", or ":50051" for all addresses of this machine.
  ///
  /// - Throws: ``ReplayError`` for anything else, also for the name of a host.
  package static func parse(_ listen: String) throws(ReplayError) -> SocketAddress {
    let text = listen.hasPrefix(":") ? "[::]\(listen)" : listen
    guard let place = try? HostAndPort(text, lowestPort: 0), let port = place.port,
      let address = SocketAddress(
        numericHost: place.host == "localhost" ? "127.0.0.1" : place.host, port: port)
    else {
      throw ReplayError(
        "cannot listen on \"\(listen)\": expected a numeric address and a port, such as"
          + " 127.0.0.1:50051, or :50051 for all local addresses")
    }
    return address
  }
}
