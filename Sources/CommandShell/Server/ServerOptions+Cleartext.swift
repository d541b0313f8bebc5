package import CommandLine
import Tripwire
import WireIO
import WireTransport

extension ServerOptions {
  /// Returns an error if a token would be sent without TLS over a network, unless `--plaintext` is on the
  /// command line. A setting that was made long ago must not expose a token.
  package func cleartextTokenError() async -> UsageError? {
    guard tls.isPlaintext, let source = sources["plaintext"], source != .option,
      let endpoint = connection.endpoint, hasCredential,
      !(await Self.isOnThisMachine(connection.place(of: endpoint).address, connection.proxy))
    else { return nil }
    return UsageError(
      message: "a token would be sent to \(escaped(endpoint)) without TLS (plaintext from"
        + " \(source.text(of: "plaintext")))",
      hint: "use TLS, or add --plaintext to send the token unencrypted")
  }

  private var hasCredential: Bool {
    token.source != nil || request.headers["authorization"] != nil
      || !request.headers.credentials.isEmpty
  }

  private static func isOnThisMachine(
    _ endpoint: String, _ proxy: ChannelConfiguration.ProxySource
  ) async -> Bool {
    // A proxy that an option names is also used for loopback addresses.
    if case .url = proxy { return false }
    guard let target = try? Target(endpoint) else { return false }
    let addresses: [SocketAddress]
    switch target.endpoint {
    case .addresses(let given): addresses = given
    case .host(let host, let port):
      // Any other name may be that of another machine.
      let isLocal =
        host.lowercased() == "localhost" || SocketAddress(numericHost: host, port: port) != nil
      guard isLocal, let found = try? await Resolver.resolve(host: host, port: port) else {
        return false
      }
      addresses = found
    }
    return addresses.allSatisfy { $0.family == .unix || ProxyExceptions.isLoopback($0.host) }
  }
}
