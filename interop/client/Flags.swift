import WireGRPCClient
import WireTLS

/// The command line: flags as in gRPC's own interop clients, then words.
struct Flags {
  static let known = """
    --server_host=HOST           127.0.0.1 by default
    --server_port=PORT
    --target=TARGET              replaces host and port
    --use_tls                    trust the roots in --ca_file
    --ca_file=FILE
    --server_host_override=NAME  the name to verify and the :authority
    --max_connections=COUNT
    --keepalive_ms=TIME          silence before a ping; no pings by default
    --idle_ms=TIME               close a connection after this time without calls
    """

  var words: [String] = []
  private var values: [String: String] = [:]

  init(_ arguments: some Sequence<String>) {
    for argument in arguments {
      guard argument.hasPrefix("--") else {
        words.append(argument)
        continue
      }
      let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1)
      values[parts.first.map(String.init) ?? ""] = parts.count > 1 ? String(parts[1]) : ""
    }
  }

  func isSet(_ name: String) -> Bool { values[name] != nil }

  func text(_ name: String) -> String? { values[name] }

  /// Returns the number of a flag, or the default if the flag is not set.
  ///
  /// - Throws: ``UnexpectedResult`` if the value is not a number.
  func number(_ name: String, default value: Int) throws(UnexpectedResult) -> Int {
    guard let text = values[name] else { return value }
    guard let number = Int(text) else {
      throw UnexpectedResult(description: "--\(name) is \"\(text)\", not a number")
    }
    return number
  }

  /// Checks that all flags are known.
  ///
  /// - Throws: ``UnexpectedResult`` for an unknown flag.
  func checkNames(_ more: [String] = []) throws(UnexpectedResult) {
    let names =
      [
        "server_host", "server_port", "target", "use_tls", "ca_file", "server_host_override",
        "max_connections", "keepalive_ms", "idle_ms",
      ] + more
    for name in values.keys where !names.contains(name) {
      throw UnexpectedResult(description: "--\(name) is unknown")
    }
  }

  func channel(trace: (@Sendable (TraceEvent) -> Void)? = nil) throws -> Channel {
    let host = text("server_host") ?? "127.0.0.1"
    let port = try number("server_port", default: 443)
    var configuration = ChannelConfiguration(
      security: isSet("use_tls")
        ? .tls(TLSConfiguration(trust: text("ca_file").map { .file($0) } ?? .system))
        : .plaintext,
      proxy: .none, authority: text("server_host_override"), trace: trace)
    configuration.maxConnections = try number(
      "max_connections", default: configuration.maxConnections)
    if isSet("keepalive_ms") {
      configuration.keepalive = Keepalive(
        time: .milliseconds(try number("keepalive_ms", default: 0)), timeout: .seconds(1))
      configuration.shortestKeepalive = .zero
    }
    if isSet("idle_ms") {
      configuration.idleTimeout = .milliseconds(try number("idle_ms", default: 0))
    }
    return try Channel(
      target: text("target") ?? "\(host):\(port)", configuration: configuration)
  }
}
