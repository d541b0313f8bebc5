import Recording
import WireGRPC
import WireGRPCServer
package import WireIO
import WireSystem

/// A gRPC server that answers from a recording or a script.
///
///     let server = try ReplayServer(ReplaySource(paths: ["demo.binlog"]))
///     let address = try await server.start()
///     …
///     await server.stop()
///
/// A request matches a recorded one of the same method if all fields except header and version stamps are
/// equal. For a method that is not Fleet Engine's, all bytes must be equal. Other requests get NOT_FOUND
/// with the differences. A server that was started must be stopped: it has a thread and sockets.
package final class ReplayServer: Sendable {
  /// Warnings about calls of the source that cannot be replayed.
  package let warnings: [String]

  package var callCount: Int { index.count }
  package var methodCount: Int { index.methodCount }

  private let index: ResponseIndex
  private let address: SocketAddress
  private let configuration: ReplayConfiguration
  private let running = Locked<(server: GRPCServer, loop: EventLoop)?>(nil)

  /// - Throws: ``ReplayError`` if the address is invalid, or nothing can be replayed.
  package init(
    _ source: ReplaySource, _ configuration: ReplayConfiguration = .init()
  ) throws(ReplayError) {
    var configuration = configuration
    switch source {
    case .recording(let recording):
      index = ResponseIndex(
        recording.calls, speed: configuration.speed, loops: configuration.loops)
    case .script(let script):
      index = ResponseIndex(script, loops: configuration.loops)
      // The delays of a script are always kept.
      configuration.speed = configuration.speed ?? 1
    }
    warnings = index.omissions
    guard index.count > 0 else {
      let isScript = if case .script = source { true } else { false }
      let hint =
        if isScript {
          "add a call to the script"
        } else if index.hasTruncatedCalls {
          "record without m:BYTES in --record-filter"
        } else {
          "pass a recording with \(warnings.isEmpty ? "" : "complete ")calls, such as one made with"
            + " --record"
        }
      throw ReplayError(
        "nothing to replay: "
          + (warnings.first ?? "the \(isScript ? "script" : "recording") contains no calls"),
        hint: hint)
    }
    address = try Self.parse(configuration.listen)
    self.configuration = configuration
  }

  /// Starts to listen and returns the address. A server that was stopped may start again.
  ///
  /// - Throws: ``ReplayError`` if the address is in use or not an address of this machine, or the
  ///   server is running.
  package func start() async throws(ReplayError) -> SocketAddress {
    let (server, bound) = try launch()
    await server.start()
    return bound
  }

  /// Stops listening, gives open calls up to five seconds to end, and closes all sockets and the
  /// thread. A second call does nothing.
  package func stop() async {
    guard let (server, loop) = running.withLock({ $0.take() }) else { return }
    await server.drain()
    loop.stop()
  }

  private func launch() throws(ReplayError) -> (GRPCServer, SocketAddress) {
    guard running.withLock({ $0 == nil }) else {
      throw ReplayError("the server is already running")
    }
    do throws(IOError) {
      let listener = try listener()
      let bound = listener.localAddress
      let loop = try EventLoop.start(name: "replay")
      let server = GRPCServer(
        ReplayService(index, configuration), configuration.server, listener: listener, loop: loop)
      running.withLock { $0 = (server, loop) }
      return (server, bound)
    } catch {
      let hint: String? =
        switch error.code {
        case .addressInUse: "pass another port with --listen; port 0 selects a free port"
        case .accessDenied:
          "pass a port above 1023 with --listen; port 0 selects a free port"
        case .addressNotAvailable:
          "pass an address of this machine with --listen, such as 127.0.0.1"
        default: nil
        }
      throw ReplayError("\(configuration.listen): \(error.code)", hint: hint)
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
