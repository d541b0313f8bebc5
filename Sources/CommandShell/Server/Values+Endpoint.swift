package import CommandLine
import WireGRPC
import WireGRPCClient
import WireGRPCServer
import WireTransport

extension Parse {
  /// Parses `HOST`, `HOST:PORT` or `[::1]:PORT`, with the default port 443; `unix:PATH` and the other
  /// targets of gRPC.
  static func endpoint(_ text: String) throws(InvalidValue) -> String {
    // The text before the @ may be a password.
    guard !text.contains("@") || ["unix:", "unix-abstract:"].contains(where: text.hasPrefix) else {
      throw InvalidValue("expected HOST[:PORT] without a scheme or a user name", mayBeShown: false)
    }
    if ["unix:", "unix-abstract:", "dns:///", "ipv4:", "ipv6:"].contains(where: text.hasPrefix) {
      do throws(ConnectionFailure) {
        _ = try Target(text)
      } catch {
        throw InvalidValue(error.detail)
      }
      return text
    }
    if text.split(separator: ":").dropFirst().contains(where: { $0.hasPrefix("//") }) {
      throw InvalidValue(
        ["http://", "https://"].contains(where: text.lowercased().hasPrefix)
          ? "expected HOST[:PORT] without a scheme; TLS is the default, and --plaintext disables it"
          : "expected HOST[:PORT], unix:PATH or dns:///HOST[:PORT]")
    }
    let place = try hostAndPort(text)
    guard !place.host.contains(":") || text.hasPrefix("[") else {
      // The reason is the one that `Channel` gives; it accepts an address without a port, however.
      do throws(ConnectionFailure) {
        _ = try Target(text)
      } catch {
        throw InvalidValue(error.detail)
      }
      throw InvalidValue("expected an IPv6 address in brackets: [\(text)] or [\(text)]:PORT")
    }
    return place.port == nil ? text + ":443" : text
  }

  private static func hostAndPort(_ text: String) throws(InvalidValue) -> HostAndPort {
    do throws(HostAndPort.Problem) {
      return try HostAndPort(text)
    } catch {
      let reason =
        switch error {
        case .noHost: "expected a host before the port"
        case .badHost: "expected HOST[:PORT]"
        case .badPort: "expected a port from 1 to 65535 after the colon"
        case .badBracket: "expected [ADDRESS]:PORT"
        }
      throw InvalidValue(reason, mayBeShown: !text.contains("@"))
    }
  }

  /// Parses `HOST` or `HOST:PORT`, the value of `:authority`.
  static func authority(_ text: String) throws(InvalidValue) -> String {
    _ = try hostAndPort(text)
    return text
  }

  /// Parses the URL of an HTTP proxy, or `none`. The URL may contain a password.
  static func proxy(_ text: String) throws(InvalidValue) -> ChannelConfiguration.ProxySource {
    if text == "none" { return .none }
    do throws(ProxyURLError) {
      _ = try Proxy(text)
    } catch {
      throw InvalidValue(error.reason, mayBeShown: false)
    }
    return .url(text)
  }

  /// Parses `HOST:PORT`, or `:PORT` for all addresses of this machine. Port 0 selects a free port.
  package static func listenAddress(_ text: String) throws(InvalidValue) -> String {
    do throws(HostAndPort.Problem) {
      _ = try HostAndPort(text.hasPrefix(":") ? "localhost\(text)" : text, lowestPort: 0)
    } catch {
      if case .badPort = error {
        throw InvalidValue("expected a port from 0 to 65535 after the colon; 0 selects a free port")
      }
    }
    guard (try? StandaloneServer.address(text)) != nil else {
      throw InvalidValue(
        "expected HOST:PORT with a numeric address or localhost, such as 127.0.0.1:50051, or :PORT"
          + " for all local addresses")
    }
    return text
  }
}
