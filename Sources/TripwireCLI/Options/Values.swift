import WireGRPC

/// The arguments that options take: each parser says what it wants when it gets something else.
enum Parse {
  /// `15s`, `500ms`, `1.5m`, `2h`: more than nothing, at most 99,999,999 hours (what
  /// grpc-timeout can say).
  static func duration(_ text: String) throws(BadValue) -> Duration {
    let wanted = BadValue("wants a duration such as 15s, 500ms or 2m")
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let amount = Double(digits), amount > 0 else { throw wanted }
    let seconds: Double
    switch text.dropFirst(digits.count) {
    case "ms": seconds = amount / 1_000
    case "s": seconds = amount
    case "m": seconds = amount * 60
    case "h": seconds = amount * 3_600
    default: throw wanted
    }
    guard seconds >= 1e-9, seconds <= 99_999_999 * 3_600 else { throw wanted }
    return .seconds(seconds)
  }

  /// `16777216`, `16M`, `16MiB`: one byte up to 4 GiB less one (what a message frame can hold).
  static func byteCount(_ text: String) throws(BadValue) -> Int {
    let wanted = BadValue("wants a number of bytes such as 16777216 or 16MiB")
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
    let (bytes, overflow) = amount.multipliedReportingOverflow(by: unit)
    guard !overflow, (1...Int(UInt32.max)).contains(bytes) else { throw wanted }
    return bytes
  }

  /// How often a call is tried again: gRPC allows five attempts in all.
  static func retries(_ text: String) throws(BadValue) -> Int {
    guard let number = Int(text), (0...4).contains(number), text.first != "+" else {
      throw BadValue("wants a number from 0 to 4")
    }
    return number
  }

  /// `HOST`, `HOST:PORT`, `[::1]:PORT`, with 443 for a port left out.
  static func endpoint(_ text: String) throws(BadValue) -> String {
    let endpoint = try withPort(text)
    do throws(ConnectionFailure) {
      _ = try Target(endpoint)
    } catch {
      throw BadValue("wants HOST[:PORT]: \(error.detail)")
    }
    return endpoint
  }

  private static func withPort(_ text: String) throws(BadValue) -> String {
    if text.hasPrefix("unix:"), text.count > 5 { return text }
    if text.split(separator: ":").dropFirst().contains(where: { $0.hasPrefix("//") }) {
      throw BadValue("wants HOST[:PORT] without a scheme (TLS is the default, see --plaintext)")
    }
    guard !text.isEmpty, !text.contains(where: { $0 == "/" || $0 == "@" || $0.isWhitespace })
    else { throw BadValue("wants HOST[:PORT]") }
    if text.hasPrefix("[") {
      guard let close = text.firstIndex(of: "]") else { throw BadValue("wants [ADDRESS]:PORT") }
      let rest = text[text.index(after: close)...]
      if rest.isEmpty { return text + ":443" }
      guard rest.first == ":" else { throw BadValue("wants [ADDRESS]:PORT") }
      try port(rest.dropFirst())
      return text
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return text + ":443"
    case 2:
      guard !parts[0].isEmpty else { throw BadValue("wants a host before the port") }
      try port(parts[1])
      return text
    default: throw BadValue("wants an IPv6 address in brackets: [\(text)] or [\(text)]:PORT")
    }
  }

  /// `HOST` or `HOST:PORT`, as `:authority` carries it.
  static func authority(_ text: String) throws(BadValue) -> String {
    guard Target.hostAndPort(text[...]) != nil else { throw BadValue("wants HOST[:PORT]") }
    return text
  }

  /// The URL of an HTTP proxy, or `none`. It may have a password in it.
  static func proxy(_ text: String) throws(BadValue) -> ChannelConfiguration.ProxySource {
    if text == "none" { return .none }
    do throws(ProxyURLError) {
      _ = try Proxy(text)
    } catch {
      throw BadValue("wants the URL of an HTTP proxy, or none: \(error.reason)", mayBeShown: false)
    }
    return .url(text)
  }

  /// `HOST:PORT`, with 0 for any free port.
  static func listenAddress(_ text: String) throws(BadValue) -> String {
    guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
      UInt16(text[text.index(after: colon)...]) != nil
    else { throw BadValue("wants HOST:PORT such as 127.0.0.1:50051") }
    return text
  }

  private static func port(_ text: Substring) throws(BadValue) {
    guard text.first != "+", let port = UInt16(text), port > 0 else {
      throw BadValue("wants a port from 1 to 65535 after the colon")
    }
  }

  /// One of `choices` by the name in the first column; capitals, `-` and `_` do not matter.
  static func choice<Value: Sendable>(
    _ choices: [(String, Value)]
  ) -> @Sendable (String) throws(BadValue) -> Value {
    let names = choices.map(\.0)
    return { (text) throws(BadValue) in
      let wanted = folded(text)
      if let match = choices.first(where: { folded($0.0) == wanted }) { return match.1 }
      let guess = nearest(to: text.lowercased(), among: names).map { ": did you mean \($0)?" }
      throw BadValue("wants " + names.joined(separator: " or ") + (guess ?? ""))
    }
  }

  private static func folded(_ text: String) -> String {
    String(text.lowercased().map { $0 == "_" ? "-" : $0 })
  }

  static func text(_ text: String) throws(BadValue) -> String {
    guard !text.isEmpty else { throw BadValue("wants a value that is not empty") }
    return text
  }
}
