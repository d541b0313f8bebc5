extension TraceEvent.Header: CustomStringConvertible {
  /// "x-user: anna". The channel has redacted already; a second look costs little.
  public var description: String { "\(name): \(MetadataRules.shown(value, of: name))" }
}

extension TraceEvent.Step: CustomStringConvertible {
  /// One line: "connected to 127.0.0.1:443", "response message of 12 bytes".
  public var description: String {
    switch self {
    case .resolving(let host): "resolve \(host)"
    case .resolved(_, let addresses): "resolved to \(addresses.joined(separator: ", "))"
    case .resolveFailed(let host, let reason): "cannot resolve \(host) now: \(reason)"
    case .connecting(let address): "connect to \(address)"
    case .connected(let address): "connected to \(address)"
    case .connectFailed(let address, let reason): "cannot connect to \(address): \(reason)"
    case .tunnelled(let target): "the proxy opened the way to \(target)"
    case .tls(let version, let cipher, let alpn, let peer, let isResumed):
      "\(version), \(cipher)\(alpn.isEmpty ? "" : ", ALPN \(alpn)"), peer \(peer)"
        + (isResumed ? ", resumed" : "")
    case .ready(let address, let calls):
      "HTTP/2 ready at \(address) for"
        + " \(calls >= Int(Int32.max) ? "any number of" : "up to \(calls)") calls at once"
    case .requestHeaders(let headers): "request headers \(headers)"
    case .requestMessage(let bytes): "request message of \(bytes) bytes"
    case .informational(let headers): "informational headers \(headers)"
    case .responseHeaders(let headers): "response headers \(headers)"
    case .responseMessage(let bytes, let decompressed):
      "response message of \(bytes) bytes"
        + (decompressed == bytes
          ? "" : decompressed.map { ", \($0) decompressed" } ?? ", compressed")
    case .trailers(let headers): "trailers \(headers)"
    case .frame(.sent, let text): "sent \(text)"
    case .frame(.received, let text): "received \(text)"
    case .goAway(let stream, let code, let data):
      "the server says go away: last stream \(stream), error \(code)"
        + (data.isEmpty ? "" : " \"\(data)\"")
    case .keepaliveSlowed(let time):
      "WARNING: the server was pinged too often; from now on after \(time) of silence"
    case .transparentRetry(let reason): "again on another connection: \(reason)"
    case .retry(let attempt, let failure):
      "attempt \(attempt) failed: \(failure); the next in \(failure.delay)"
    case .notRetried(let reason): "not tried again: \(reason)"
    case .finished(let code): "finished with \(code)"
    case .closed(let reason): "closed: \(reason)"
    }
  }
}
