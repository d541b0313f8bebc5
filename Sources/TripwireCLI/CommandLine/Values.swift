import Replay
import WireGRPC
import WireGRPCClient
import WireTransport

/// Parsers for the arguments of options. Each throws the expected form for any other text.
enum Parse {
  /// Parses `15s`, `500ms`, `1.5m` or `2h`: more than 0, at most 99,999,999 hours, the limit of
  /// grpc-timeout.
  static func duration(_ text: String) throws(InvalidValue) -> Duration {
    let wanted = InvalidValue("expected a duration such as 500ms, 15s, 2m or 24h")
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let amount = Double(digits) else { throw wanted }
    guard digits.count < text.count || amount == 0 else {
      throw InvalidValue("the unit is missing: expected \(text)s, \(text)ms or \(text)m")
    }
    let seconds: Double
    switch text.dropFirst(digits.count) {
    case "ms": seconds = amount / 1_000
    case "s": seconds = amount
    case "m": seconds = amount * 60
    case "h": seconds = amount * 3_600
    default: throw wanted
    }
    guard seconds >= 1e-9 else { throw tooSmall }
    guard seconds <= 99_999_999 * 3_600 else { throw InvalidValue("must be at most 99999999h") }
    return .seconds(seconds)
  }

  private static let tooSmall = InvalidValue("must be greater than 0")

  /// Parses `16777216`, `16M` or `16MiB`: from one byte to 4 GiB less one, the limit of a message.
  static func byteCount(_ text: String) throws(InvalidValue) -> Int {
    let wanted = InvalidValue("expected a number of bytes such as 16777216 or 16MiB")
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let amount = Int(digits) else { throw wanted }
    let unit: Int
    switch text.dropFirst(digits.count) {
    case "": unit = 1
    case "K", "KiB": unit = 1 << 10
    case "M", "MiB": unit = 1 << 20
    case "G", "GiB": unit = 1 << 30
    default: throw wanted
    }
    guard amount > 0 else { throw tooSmall }
    let (bytes, overflow) = amount.multipliedReportingOverflow(by: unit)
    guard !overflow, bytes <= Int(UInt32.max) else { throw InvalidValue("must be less than 4GiB") }
    return bytes
  }

  /// Parses a number in a range.
  static func count(_ range: ClosedRange<Int>) -> @Sendable (String) throws(InvalidValue) -> Int {
    { (text) throws(InvalidValue) in
      guard let number = Int(text), range.contains(number), text.first != "+" else {
        throw InvalidValue(
          "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }

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
  static func listenAddress(_ text: String) throws(InvalidValue) -> String {
    do throws(HostAndPort.Problem) {
      _ = try HostAndPort(text.hasPrefix(":") ? "localhost\(text)" : text, lowestPort: 0)
    } catch {
      if case .badPort = error {
        throw InvalidValue("expected a port from 0 to 65535 after the colon; 0 selects a free port")
      }
    }
    guard (try? ReplayServer.parse(text)) != nil else {
      throw InvalidValue(
        "expected HOST:PORT with a numeric address or localhost, such as 127.0.0.1:50051, or :PORT"
          + " for all local addresses")
    }
    return text
  }

  /// Parses the value of a flag in a variable or a profile.
  static func bool(_ text: String) throws(InvalidValue) -> Bool {
    if text == "true" || text == "false" { return text == "true" }
    let correction: String? =
      switch text.lowercased() {
      case "true", "1", "yes", "on": "true"
      case "false", "0", "no", "off": "false"
      default: nil
      }
    throw InvalidValue("expected true or false", correction: correction)
  }

  static func text(_ text: String) throws(InvalidValue) -> String {
    guard !text.isEmpty else { throw InvalidValue("expected a value, found an empty one") }
    return text
  }
}
