import WireGRPC
package import WireIO
import WireSystem

/// A gRPC server on a thread of its own. One that was started must be stopped: it has a thread and sockets.
package final class StandaloneServer: Sendable {
  private let name: String
  private let listen: String
  private let address: SocketAddress
  private let configuration: ServerConfiguration
  private let makeHandler: @Sendable () -> sending any CallHandler
  private let running = Locked<(server: GRPCServer, loop: EventLoop)?>(nil)

  /// - Parameters:
  ///   - name: the name of the thread.
  ///   - listen: a numeric host and a port, "127.0.0.1:50051" or "[::1]:0", or ":50051" for all addresses of this
  ///     machine, IPv6 and IPv4. With port 0 the kernel chooses one.
  ///   - makeHandler: called for each start.
  /// - Throws: ``ListenError`` if the address is invalid.
  package init(
    _ name: String, listen: String, _ configuration: ServerConfiguration,
    makeHandler: @escaping @Sendable () -> sending any CallHandler
  ) throws(ListenError) {
    self.name = name
    self.listen = listen
    address = try Self.address(listen)
    self.configuration = configuration
    self.makeHandler = makeHandler
  }

  /// Starts to listen and returns the address. A server that was stopped may start again.
  ///
  /// - Throws: ``ListenError`` if the address is in use or not an address of this machine, or the server is running.
  package func start() async throws(ListenError) -> SocketAddress {
    let (server, listener) = try launch()
    let bound = listener.localAddress
    await server.start(listener)
    return bound
  }

  /// Stops listening, gives open calls up to five seconds to end, and closes all sockets and the
  /// thread. A second call does nothing.
  package func stop() async {
    guard let (server, loop) = running.withLock({ $0.take() }) else { return }
    await server.drain()
    loop.stop()
  }

  private func launch() throws(ListenError) -> (GRPCServer, Listener) {
    guard running.withLock({ $0 == nil }) else {
      throw ListenError("the server is already running")
    }
    do throws(IOError) {
      let listener = try listener()
      let loop = try EventLoop.start(name: name)
      let server = GRPCServer(makeHandler(), configuration, loop: loop)
      running.withLock { $0 = (server, loop) }
      return (server, listener)
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
      throw ListenError("\(listen): \(error.code)", hint: hint)
    }
  }

  private func listener() throws(IOError) -> Listener {
    do throws(IOError) {
      return try Listener(on: address, backlog: 1024)
    } catch {
      // ":50051" is for all addresses, also where there is no IPv6.
      let isWithoutIPv6 = [.addressFamilyNotSupported, .addressNotAvailable].contains(error.code)
      guard isWithoutIPv6, listen.hasPrefix(":"), let port = address.port,
        let address = SocketAddress(numericHost: "0.0.0.0", port: port)
      else { throw error }
      return try Listener(on: address, backlog: 1024)
    }
  }

  /// Reads "127.0.0.1:50051", "[::1]:0", "localhost:0", or ":50051" for all addresses of this machine.
  ///
  /// - Throws: ``ListenError`` for anything else, also for the name of a host.
  package static func address(_ listen: String) throws(ListenError) -> SocketAddress {
    let text = listen.hasPrefix(":") ? "[::]\(listen)" : listen
    guard let place = try? HostAndPort(text, lowestPort: 0), let port = place.port,
      let address = SocketAddress(
        numericHost: place.host == "localhost" ? "127.0.0.1" : place.host, port: port)
    else {
      throw ListenError(
        "cannot listen on \"\(listen)\": expected a numeric address and a port, such as"
          + " 127.0.0.1:50051, or :50051 for all local addresses")
    }
    return address
  }
}

/// The reason why a server cannot listen.
package struct ListenError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// One action for the user of a command with the option --listen, if the description has none.
  package let hint: String?

  init(_ description: String, hint: String? = nil) {
    self.description = description
    self.hint = hint
  }
}
