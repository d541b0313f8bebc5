import WireGRPC
import WireIO
import WireSystem
import WireTLS
import WireTransport

extension ConnectionContext {
  /// Dials an address and puts the required layers over the socket.
  ///
  /// - Parameter address: the address of the proxy if there is one, else of the server.
  /// - Throws: errors that occur before any I/O.
  func dial(_ address: SocketAddress) throws(ConnectionFailure) -> any ByteStream {
    if let connect { return connect() }
    let proxyEngine = try engine(proxyTLS, for: proxy?.host ?? "", address)
    let engine = try engine(tls, for: serverName, address)
    var stream: any ByteStream
    stream = try mapError(SocketStream(to: address, loop: loop)) { (error: IOError) in
      ConnectionFailure(connecting: error, at: peer(address), proxy)
    }
    if let proxyEngine { stream = TLSStream(over: stream, proxyEngine) }
    if let connectRequest { stream = ProxyTunnel(over: stream, connectRequest, loop: loop) }
    if let engine { stream = TLSStream(over: stream, engine) }
    return stream
  }

  private func engine(
    _ tls: TLSContext?, for name: String, _ address: SocketAddress
  ) throws(ConnectionFailure) -> TLSEngine? {
    guard let tls else { return nil }
    do throws(TLSError) {
      return try TLSEngine(context: tls, role: .client(serverName: name))
    } catch {
      throw failure(.configuration, at: address, error.description)
    }
  }
}
